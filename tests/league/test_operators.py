"""What operators have beside the admin (test_operators_*): commands."""

import pytest
from django.core.management import CommandError, call_command

from league.tournaments.models import Board
from sandbox import contract
from sandbox.backends import SandboxUnavailable
from tests.league import kit

pytestmark = pytest.mark.django_db


def test_the_command_counts_blocks_anew_and_with_check_only_compares(ann, capsys):
    _, tables = kit.running(ann, boards=2)
    for table in tables:
        kit.play(table)
    call_command("recount_blocks", "--check")
    wrong = Board.objects.first()
    Board.objects.filter(pk=wrong.pk).update(complete=False)
    with pytest.raises(CommandError, match="1 boards differ"):
        call_command("recount_blocks", "--check")
    call_command("recount_blocks")
    assert Board.objects.get(pk=wrong.pk).complete
    call_command("recount_blocks", "--check")
    assert f"board {wrong.pk} does not say" in capsys.readouterr().err


def test_the_sandbox_check_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(
        "league.pipeline.management.commands.sandbox_check.examine",
        lambda _: [
            contract.Result("there_is_no_network", "it connected"),
            contract.Result("a_deadline_is_kept", ""),
        ],
    )
    monkeypatch.setattr(
        "league.pipeline.management.commands.sandbox_check.choose", lambda name: type("B", (), {"name": name})
    )
    with pytest.raises(CommandError, match="1 behaviour"):
        call_command("sandbox_check", "--sandbox", "docker")
    said = capsys.readouterr().out
    assert "there_is_no_network: it connected" in said
    assert "a_deadline_is_kept: ok" in said


def test_the_sandbox_check_says_why_there_is_none(monkeypatch):
    def none(_):
        raise SandboxUnavailable({"docker": "no engine answers"})

    monkeypatch.setattr("league.pipeline.management.commands.sandbox_check.choose", none)
    with pytest.raises(CommandError, match="no engine answers"):
        call_command("sandbox_check")
