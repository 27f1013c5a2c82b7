"""Uploads as strangers send them: odd forms, odd names, copies, and what happens when a version goes."""

import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from league.bots import services as bots
from league.bots.models import Bot, Version
from league.matches.models import Match
from league.ratings.models import Rating
from tests.league import kit

pytestmark = pytest.mark.django_db
BOT = b"import polignac\n\n\nclass Mine(polignac.Bot):\n    pass\n\n\nMine().run()\n"


@pytest.fixture
def dodger(ann):
    """A bot without a version."""
    return bots.create_bot(ann, "Dodger")


def address(bot):
    return f"/api/v1/bots/{bot.pk}/versions/"


def part(disposition, data, *more):
    """A part of a form, as bytes."""
    head = b"\r\n".join([b"Content-Disposition: form-data; " + disposition, *more])
    return b"--x\r\n" + head + b"\r\n\r\n" + data + b"\r\n"


def send(client, bot, *parts, kind="multipart/form-data; boundary=x", **headers):
    return client.generic("POST", address(bot), b"".join(parts) + b"--x--\r\n", content_type=kind, **headers)


def nothing_is_stored(settings):
    return not Version.objects.exists() and not any(path.is_file() for path in settings.DATA_DIR.rglob("*"))


# -- odd forms -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", [b'name="file"; filename="b.py"', b'name="other"; filename="b.py"'])
def test_two_files_in_one_request_are_refused(as_ann, dodger, settings, second):
    answer = send(as_ann, dodger, part(b'name="file"; filename="a.py"', BOT), part(second, BOT))
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["field"]) == ("too_many_files", "file")
    assert "one file" in answer.json()["detail"]
    assert nothing_is_stored(settings)


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=é"]
)
def test_a_form_without_its_boundary_is_refused_with_what_would_be_right(as_ann, dodger, settings, kind):
    answer = send(as_ann, dodger, part(b'name="file"; filename="a.py"', BOT), kind=kind)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_form")
    assert "boundary" in answer.json()["detail"]
    assert nothing_is_stored(settings)


def test_a_form_of_another_boundary_has_no_file(as_ann, dodger):
    answer = send(
        as_ann,
        dodger,
        part(b'name="file"; filename="a.py"', BOT),
        kind="multipart/form-data; boundary=y",
    )
    assert (answer.status_code, answer.json()["field"]) == (400, "file")


@pytest.mark.parametrize("length", ["", "0", "7", "-1", "lots"])
def test_a_length_that_is_a_lie_stores_nothing(as_ann, dodger, settings, length):
    answer = send(as_ann, dodger, part(b'name="file"; filename="a.py"', BOT), CONTENT_LENGTH=length)
    assert answer.status_code == 400
    assert nothing_is_stored(settings)


def test_a_body_without_its_length_is_told_to_have_one(as_ann, dodger, settings):
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked"}
    answer = send(as_ann, dodger, part(b'name="file"; filename="a.py"', BOT), **chunked)
    assert (answer.status_code, answer.json()["code"]) == (411, "length_required")
    assert "Content-Length" in answer.json()["detail"]
    assert nothing_is_stored(settings)


# -- odd names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        b'filename="../../x.py"',
        b'filename="..\\..\\x.py"',
        b'filename="/etc/cron.d/x.py"',
        b'filename="C:\\x.py"',
        b'filename="x\0.py"',
        b'filename="' + b"a" * 900 + b'.py"',
        b"filename*=UTF-8''..%2F..%2Fx%00.py",
        'filename="\u202eyp.exe.py"'.encode(),
        b'filename="=1+1.py"',
        b'filename="<script>.py"',
    ],
)
def test_whatever_a_file_is_called_it_is_stored_under_a_name_of_ours(as_ann, dodger, settings, name):
    answer = send(as_ann, dodger, part(b'name="file"; ' + name, BOT))
    assert answer.status_code == 201, answer.content
    [stored] = [path for path in settings.DATA_DIR.rglob("*") if path.is_file()]
    version = Version.objects.get()
    assert stored == settings.DATA_DIR / "archives" / version.archive[:2] / f"{version.archive}.zip"
    with zipfile.ZipFile(stored) as archive:
        assert archive.namelist() == ["main.py"]
    source = as_ann.get(f"/api/v1/versions/{version.pk}/source/")
    assert source.headers["Content-Disposition"] == f'attachment; filename="version-{version.pk}.zip"'


@pytest.mark.parametrize(
    "kind", [b"image/png", b"text/html", b"application/x-php", b"multipart/mixed", b"\xff", b"a" * 900, b""]
)
def test_the_type_told_for_a_file_means_nothing(as_ann, dodger, kind):
    answer = send(as_ann, dodger, part(b'name="file"; filename="a.py"', BOT, b"Content-Type: " + kind))
    assert answer.status_code == 201, answer.content
    source = as_ann.get(f"/api/v1/versions/{answer.json()['id']}/source/")
    assert source.headers["Content-Type"] == "application/zip"


@pytest.mark.parametrize(
    "name",
    [b'filename=""', b'filename="/"', b'filename=".."', b'filename="x"', b'filename="\xff\xfe.py"'],
)
def test_a_name_that_tells_no_language_is_refused(as_ann, dodger, settings, name):
    answer = send(as_ann, dodger, part(b'name="file"; ' + name, BOT))
    assert (answer.status_code, answer.json()["field"]) == (400, "file")
    assert nothing_is_stored(settings)


def test_a_name_of_5_KB_is_refused_and_told_why(as_ann, dodger, settings):
    answer = send(as_ann, dodger, part(b'name="file"; filename="' + b"a" * 5000 + b'.py"', BOT))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_form")
    assert "shorter name" in answer.json()["detail"]
    assert nothing_is_stored(settings)


# -- copies --------------------------------------------------------------------------------------------------


def zipped(files, **how):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", **how) as archive:
        for name in files:
            archive.writestr(name, BOT)
    return buffer.getvalue()


def test_a_copy_from_another_account_is_taken_and_shown_to_operators(as_ann, as_bob, ann, bob, staff, dodger):
    assert send(as_ann, dodger, part(b'name="file"; filename="bot.py"', BOT)).status_code == 201
    copycat = bots.create_bot(bob, "Copycat")
    packed_anew = zipped(["main.py"], compression=zipfile.ZIP_DEFLATED)
    answer = send(as_bob, copycat, part(b'name="file"; filename="mine.zip"', packed_anew))
    assert (answer.status_code, answer.json()["status"]) == (201, "received")
    assert "Dodger" not in answer.content.decode(), "whose it is like is nobody else's business"
    original, copy = Version.objects.order_by("id")
    assert copy.same_as == original

    office = Client()
    office.force_login(promoted(staff))
    listed = reverse("admin:bots_version_changelist")
    flagged = office.get(listed, {"same_as__isempty": "0"}).content.decode()
    assert "Copycat" in flagged
    assert f">{original}<" in flagged, "and what it is a copy of"
    assert office.get(listed, {"same_as__isempty": "1"}).content.decode().count("Copycat") == 0


def promoted(user):
    user.is_superuser = True
    user.save()
    return user


# -- gone in the middle of a match ------------------------------------------------------------


@pytest.fixture
def in_play(ann, bob, staff):
    """A table that a worker has played, and not stored yet: (tournament, claim, versions, results)."""
    tournament, tables = kit.running(ann)
    for table in tables[1:]:
        kit.play(table)
    return tournament, *kit.played(tables[0])


def retire(versions, ann, staff):
    for version in versions:
        bots.retire_version(Version.objects.get(pk=version), by=staff)


def close(versions, ann, staff):
    ann.is_active = False
    ann.save()


@pytest.mark.parametrize("leave", [retire, close])
def test_a_match_whose_bots_retire_or_whose_owner_leaves_ends_and_counts(
    in_play, ann, staff, anybody, as_staff, leave
):
    tournament, claim, versions, results = in_play
    leave(versions, ann, staff)
    kit.store_table(claim, versions, results)
    kit.recompute(tournament.pool)
    assert Match.objects.count() == 3
    assert set(Rating.objects.values_list("version", flat=True)) == set(versions)
    pages = ["ratings", "matches", "bots", f"tournaments/{tournament.pk}", "tournaments", "pools"]
    pages += [f"matches/{Match.objects.first().pk}", f"tournaments/{tournament.pk}/standings"]
    for client in (anybody, as_staff):
        assert {client.get(f"/api/v1/{page}/").status_code for page in pages} == {200}


def test_a_version_that_retires_before_its_check_is_not_checked(ann):
    version = bots.retire_version(kit.received(ann), by=ann)
    assert bots.claim_version(version.pk) is None


def test_nobody_deletes_what_matches_are_made_of(in_play, ann, staff):
    office = Client()
    office.force_login(promoted(staff))
    for kind, row in (
        ("accounts_user", ann),
        ("bots_bot", Bot.objects.first()),
        ("bots_version", Version.objects.first()),
    ):
        assert office.post(reverse(f"admin:{kind}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        assert type(row).objects.filter(pk=row.pk).exists()
