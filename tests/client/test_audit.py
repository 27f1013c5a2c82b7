"""`polignac audit`: sound files pass, and an unsound record is named with what differs."""

import io
import json
from pathlib import Path

import pytest

from client.cli import main

GOLDEN = Path(__file__).parent.parent / "golden" / "records.jsonl"


@pytest.fixture
def lines():
    return GOLDEN.read_bytes().splitlines()[:5]


def changed(line, change):
    record = json.loads(line)
    change(record)
    return json.dumps(record, sort_keys=True, separators=(",", ":")).encode()


def test_sound_records_are_counted(lines, tmp_path, capsys):
    file = tmp_path / "r.jsonl"
    file.write_bytes(b"\n".join(lines))
    assert main(["audit", str(file)]) == 0
    assert capsys.readouterr().out == "5 records: all sound\n"


def test_an_unsound_record_is_named_with_line_deal_trick_and_seat(lines, tmp_path, capsys):
    def swap(record):
        cards = record["deals"][0]["tricks"][0]["cards"]
        cards[0], cards[1] = cards[1], cards[0]

    file = tmp_path / "r.jsonl"
    lines[2] = changed(lines[2], swap)
    lines[4] = changed(lines[4], lambda record: record["totals"].__setitem__(1, 99))
    file.write_bytes(b"\n".join(lines))
    assert main(["audit", str(file)]) == 1
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{file}:3: deal 1, trick 1, seat ")
    assert second.startswith(f"{file}:5: ")
    assert "totals" in second
    assert last == "5 records: 2 unsound"


def test_what_is_no_record_is_unsound(lines, tmp_path, capsys):
    file = tmp_path / "r.jsonl"
    file.write_bytes(b"\n".join([lines[0], b'{"format": "\x1b[2J"}', b"\xff\xfe", b"[1, 2", b"null"]))
    assert main(["audit", str(file)]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "5 records: 4 unsound"
    assert "\x1b" not in out


def test_windows_line_ends_and_blank_lines_are_fine(lines, tmp_path, capsys):
    file = tmp_path / "r.jsonl"
    file.write_bytes(b"\r\n\r\n".join(lines) + b"\r\n")
    assert main(["audit", str(file)]) == 0
    assert capsys.readouterr().out == "5 records: all sound\n"


def test_standard_input_is_read_as_a_dash(lines, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines[0])))
    assert main(["audit", "-"]) == 0
    assert capsys.readouterr().out == "1 record: sound\n"


def test_several_files_are_checked_in_one_go(lines, tmp_path, capsys):
    for name, line in zip("ab", lines, strict=False):
        (tmp_path / name).write_bytes(line)
    assert main(["audit", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert capsys.readouterr().out == "2 records: all sound\n"


@pytest.mark.parametrize(
    ("name", "told"), [("nothing", "nothing: No such file"), ("empty", "empty holds no record")]
)
def test_a_file_without_a_record_is_bad_usage(name, told, tmp_path, capsys):
    (tmp_path / "empty").write_bytes(b"\n")
    assert main(["audit", str(tmp_path / name)]) == 2
    assert told in capsys.readouterr().err
