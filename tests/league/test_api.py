"""The REST API, sentence by sentence."""

import hashlib
import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from arena.audit import audit
from arena.record import Record
from league.bots import services as bots
from league.bots.models import Version
from league.common.lifecycle import StatusNote
from league.ratings.services import recompute
from league.tournaments.models import Board, Entrant, Table, Tournament
from league.tournaments.services import finish_if_done
from tests.league import kit

pytestmark = pytest.mark.django_db
BOT = b"import polignac\n\n\nclass Mine(polignac.Bot):\n    pass\n\n\nMine().run()\n"


def upload(client, bot, data=BOT, name="bot.py"):
    file = SimpleUploadedFile(name, data)
    return client.post(f"/api/v1/bots/{bot}/versions/", {"file": file}, format="multipart")


def zipped(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return buffer.getvalue()


# -- users and tokens ----------------------------------------------------------------------------------------


def test_a_stranger_signs_up_logs_in_and_is_known(anybody):
    signed_up = anybody.post("/api/v1/users/", {"username": "Zoë", "password": kit.PASSWORD})
    assert signed_up.status_code == 201
    assert set(signed_up.json()) == {"id", "username", "created_at"}
    token = anybody.post("/api/v1/tokens/", {"username": "ZOË", "password": kit.PASSWORD}).json()["token"]
    me = anybody.get("/api/v1/users/me/", HTTP_AUTHORIZATION=f"Bearer {token}").json()
    assert (me["username"], me["is_staff"]) == ("Zoë", False)


@pytest.mark.parametrize(
    ("username", "password", "code", "field", "status"),
    [
        ("ANN", kit.PASSWORD, "name_taken", "username", 409),
        ("ａnn", kit.PASSWORD, "name_taken", "username", 409),
        ("a\u202eb", kit.PASSWORD, "bad_name", "username", 400),
        ("new", "12345678", "weak_password", "password", 400),
        ("new", "new", "weak_password", "password", 400),
        ("new", "x" * 500, "weak_password", "password", 400),
    ],
)
def test_a_sign_up_that_is_refused_says_why(anybody, ann, username, password, code, field, status):
    answer = anybody.post("/api/v1/users/", {"username": username, "password": password})
    assert answer.status_code == status
    assert (answer.json()["code"], answer.json()["field"]) == (code, field)


def test_nobody_signs_up_as_more_than_a_user(anybody):
    more = {"is_staff": True, "is_superuser": True, "id": 7, "username_key": "x"}
    anybody.post("/api/v1/users/", {"username": "eve", "password": kit.PASSWORD, **more})
    user = kit.bots.User.objects.get(username="eve")
    assert (user.is_staff, user.is_superuser) == (False, False)


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(anybody, ann):
    answers = [
        anybody.post("/api/v1/tokens/", {"username": name, "password": "wrong"})
        for name in ("ann", "nobody at all")
    ]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].content == answers[1].content


def test_a_closed_account_has_no_way_in(as_ann, ann, anybody):
    ann.is_active = False
    ann.save()
    assert as_ann.get("/api/v1/users/me/").status_code == 401
    answer = anybody.post("/api/v1/tokens/", {"username": "ann", "password": kit.PASSWORD})
    assert answer.json()["code"] == "bad_credentials"


def test_logging_out_ends_this_token_or_all(ann):
    first, second, third = kit.client(ann), kit.client(ann), kit.client(ann)
    assert first.delete("/api/v1/tokens/current/").status_code == 204
    assert [c.get("/api/v1/users/me/").status_code for c in (first, second, third)] == [401, 200, 200]
    assert second.delete("/api/v1/tokens/").status_code == 204
    assert [c.get("/api/v1/users/me/").status_code for c in (second, third)] == [401, 401]


def test_sign_ups_and_log_ins_are_throttled(anybody, ann):
    for address, most in (("/api/v1/users/", 20), ("/api/v1/tokens/", 10)):
        answers = [anybody.post(address, {"username": "x", "password": "y"}) for _ in range(most + 1)]
        assert {answer.status_code for answer in answers[:-1]} == {400}
        assert answers[-1].status_code == 429
        assert answers[-1].json()["code"] == "throttled"
        assert int(answers[-1].headers["Retry-After"]) > 0


def test_log_ins_to_one_account_are_throttled_wherever_they_come_from(anybody):
    answers = [
        anybody.post(
            "/api/v1/tokens/", {"username": "ＡＮＮ", "password": "y"}, REMOTE_ADDR=f"10.0.0.{number}"
        )
        for number in range(11)
    ]
    assert answers[-1].status_code == 429


def test_a_cookie_alone_opens_nothing(anybody, ann):
    anybody.force_login(ann)
    assert anybody.post("/api/v1/bots/", {"name": "Dodger"}).status_code == 401


# -- bots and versions ---------------------------------------------------------------------------------------


def test_a_bot_is_made_and_seen_by_everybody(as_ann, anybody):
    made = as_ann.post("/api/v1/bots/", {"name": "Dodger", "owner": "bob", "id": 77}).json()
    assert (made["name"], made["owner"], made["current"]) == ("Dodger", "ann", None)
    assert anybody.get(f"/api/v1/bots/{made['id']}/").json() == made
    assert anybody.get("/api/v1/bots/?owner=ANN").json()["results"] == [made]
    assert anybody.get("/api/v1/bots/?owner=bob").json()["count"] == 0
    assert anybody.post("/api/v1/bots/", {"name": "Other"}).status_code == 401
    assert as_ann.post("/api/v1/bots/", {"name": "DODGER"}).json()["code"] == "name_taken"


def test_an_upload_becomes_the_next_version_and_again_the_same(as_ann, ann):
    bot = bots.create_bot(ann, "Dodger")
    first = upload(as_ann, bot.pk)
    assert first.status_code == 201
    version = first.json()
    assert (version["bot"], version["number"], version["status"]) == ("Dodger", 1, "received")
    assert (version["language"], version["checks"]) == ("python", [])
    again = upload(as_ann, bot.pk)
    assert (again.status_code, again.json()) == (200, version)
    other = upload(as_ann, bot.pk, zipped(**{"main.py": BOT, "lib__x.py": b"x = 1\n"}), "bot.zip")
    assert (other.status_code, other.json()["number"]) == (201, 2)
    listed = as_ann.get(f"/api/v1/bots/{bot.pk}/versions/?ordering=-number").json()["results"]
    assert [row["number"] for row in listed] == [2, 1]


@pytest.mark.parametrize(
    ("data", "name", "status"),
    [
        (b"", "bot.py", 400),
        (b"\x00\x01", "bot.py", 400),
        (b"\xff\xfe", "bot.py", 400),
        (BOT, "bot.exe", 400),
        (b"PK\x03\x04 nonsense", "bot.zip", 400),
        (zipped(**{"..__x.py": b"x"}), "bot.zip", 400),
        (zipped(**{"main.py": BOT, "/etc/x": b"x"}), "bot.zip", 400),
        (zipped(**{"main.py": BOT, "C:\\x": b"x"}), "bot.zip", 400),
        (zipped(**{"README.md": b"x"}), "bot.zip", 400),
        (b"x = 1\n" * 200_000, "bot.py", 413),
        (b"x" * 2_000_000, "bot.py", 413),
    ],
)
def test_an_upload_that_is_no_bot_is_refused_and_nothing_is_stored(as_ann, ann, settings, data, name, status):
    bot = bots.create_bot(ann, "Dodger")
    answer = upload(as_ann, bot.pk, data, name)
    assert answer.status_code == status, answer.content
    assert answer.json()["field"] == "file"
    assert not Version.objects.exists()
    assert [path for path in settings.DATA_DIR.rglob("*") if path.is_file()] == []


def test_an_upload_without_a_file_is_refused(as_ann, ann):
    bot = bots.create_bot(ann, "Dodger")
    address = f"/api/v1/bots/{bot.pk}/versions/"
    assert as_ann.post(address, {"file": "text"}, format="multipart").json()["field"] == "file"
    assert as_ann.post(address, {}, format="multipart").json()["code"] == "required"
    assert as_ann.post(address, {"file": "text"}, format="json").status_code == 415


@pytest.mark.parametrize(
    "name", ["../../x.py", "x\0.py", "a" * 5000 + ".py", "😀.py", "=1+1.py", "<script>.py"]
)
def test_the_name_of_an_upload_is_never_a_path(as_ann, ann, settings, name):
    bot = bots.create_bot(ann, "Dodger")
    assert upload(as_ann, bot.pk, BOT, name).status_code in (201, 400)
    for path in settings.DATA_DIR.rglob("*"):
        assert path.is_dir() or path.stem == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_version_its_check_and_its_source_are_for_the_owner_and_staff(
    as_ann, as_bob, as_staff, anybody, ann
):
    version = kit.received(ann)
    for address in (f"/api/v1/versions/{version.pk}/", f"/api/v1/versions/{version.pk}/source/"):
        assert as_ann.get(address).status_code == 200
        assert as_staff.get(address).status_code == 200
        assert as_bob.get(address).status_code == 404
        assert anybody.get(address).status_code == 401
    listing = f"/api/v1/bots/{version.bot_id}/versions/"
    assert [c.get(listing).status_code for c in (as_ann, as_staff, as_bob, anybody)] == [200, 200, 404, 401]
    assert upload(as_bob, version.bot_id).status_code == 404


def test_the_owner_reads_why_a_version_was_rejected(as_ann, ann):
    claim = bots.claim_version(kit.received(ann).pk)
    found = kit.stage("start", "failed", code="crash", message="It ended.", log="Traceback", duration_ms=7)
    bots.record_stage(claim, 1, found)
    version = bots.finish_check(claim)
    seen = as_ann.get(f"/api/v1/versions/{version.pk}/").json()
    assert (seen["status"], seen["reason_code"], seen["reason"]) == ("rejected", "crash", "It ended.")
    expected = {"stage": "start", "outcome": "failed", "code": "crash", "message": "It ended."}
    assert seen["checks"] == [{**expected, "log": "Traceback", "duration_ms": 7}]


def test_the_source_is_the_program_as_sent(as_ann, ann):
    bot = bots.create_bot(ann, "Dodger")
    version = upload(as_ann, bot.pk).json()
    answer = as_ann.get(f"/api/v1/versions/{version['id']}/source/")
    assert "no-store" in answer.headers["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.read("main.py") == BOT


# -- tournaments ---------------------------------------------------------------------------------------------


def test_a_draft_is_its_organisers_alone(as_ann, as_bob, as_staff, anybody):
    made = as_ann.post("/api/v1/tournaments/", {"name": "Cup", "rules": {"players": 3}, "boards": 2})
    assert made.status_code == 201
    cup = made.json()
    assert (cup["status"], cup["players"], cup["boards"], cup["entrants"]) == ("draft", 3, 2, 0)
    assert cup["rules"]["threshold"] == 10
    address = f"/api/v1/tournaments/{cup['id']}/"
    assert [c.get(address).status_code for c in (as_ann, as_staff, as_bob, anybody)] == [200, 200, 404, 404]
    assert as_bob.post(f"{address}open/").status_code == 404
    assert as_ann.post(f"{address}open/").json()["status"] == "open"
    assert as_ann.post(f"{address}open/").json()["status"] == "open"
    assert anybody.get(address).status_code == 200
    assert as_bob.post(f"{address}start/").status_code == 403
    assert anybody.post(f"{address}start/").status_code == 401


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"rules": {"players": 9}}, "bad_rules", "rules.players"),
        ({"rules": {"card_points": {"XX": 1}}}, "bad_rules", "rules.card_points"),
        ({"rules": []}, "bad_rules", "rules.rules"),
        ({"boards": 0}, "min_value", "boards"),
        ({"boards": "２"}, "invalid", "boards"),
        ({"boards": True}, "invalid", "boards"),
        ({"boards": 10**30}, "max_value", "boards"),
        ({"boards": 10_000}, "bad_boards", "boards"),
        ({"format": "knockout"}, "invalid_choice", "format"),
        ({"name": "\u202e"}, "bad_name", "name"),
    ],
)
def test_a_tournament_that_can_not_be_is_refused(as_ann, body, code, field):
    answer = as_ann.post("/api/v1/tournaments/", {"name": "Cup", **body})
    assert answer.status_code == 400, answer.content
    assert (answer.json()["code"], answer.json()["field"]) == (code, field)


def test_bots_enter_and_leave_an_open_tournament(as_ann, as_bob, ann, bob, anybody):
    cup = kit.open_tournament(ann)
    mine, theirs = kit.active(ann, "Mine"), kit.active(bob, "Theirs")
    address = f"/api/v1/tournaments/{cup.pk}/entrants/"
    entered = as_bob.post(address, {"version": theirs.pk})
    assert entered.status_code == 201
    assert (entered.json()["bot"], entered.json()["owner"]) == ("Theirs", "bob")
    again = as_bob.post(address, {"version": theirs.pk})
    assert (again.status_code, again.json()) == (200, entered.json())
    assert as_bob.post(address, {"version": mine.pk}).status_code == 404
    assert as_ann.post(address, {"version": mine.pk}).status_code == 201
    assert [row["bot"] for row in anybody.get(address).json()["results"]] == ["Theirs", "Mine"]
    mine_there = Entrant.objects.get(version=mine).pk
    assert as_bob.delete(f"{address}{mine_there}/").status_code == 403
    assert as_ann.delete(f"{address}{mine_there}/").status_code == 204
    assert as_ann.delete(f"{address}{mine_there}/").status_code == 404
    assert as_ann.delete(f"{address}\uff11/").status_code == 404
    for wrong in ("１", True, None, 1.5, [], 2**70):
        assert as_ann.post(address, {"version": wrong}, format="json").status_code == 400


def test_a_tournament_is_started_once_and_its_seeds_are_secret_until_the_end(
    as_ann, ann, anybody, django_capture_on_commit_callbacks
):
    cup = kit.open_tournament(ann, boards=2)
    for number in range(3):
        kit.tournaments.enter(cup, kit.active(ann, f"Bot {number}"), ann)
    address = f"/api/v1/tournaments/{cup.pk}/"
    with django_capture_on_commit_callbacks() as sent:
        assert as_ann.post(f"{address}start/").json()["status"] == "running"
    assert len(sent) == 1
    assert as_ann.post(f"{address}start/").json()["status"] == "running"
    assert Table.objects.count() == 3
    boards = anybody.get(f"{address}boards/").json()["results"]
    assert [board["commitment"] for board in boards] == [
        board.commitment for board in Board.objects.order_by("pk")
    ]
    assert {board["seed"] for board in boards} == {None}

    for table in Table.objects.all():
        kit.play(table.pk)
    match = anybody.get(f"/api/v1/matches/?tournament={cup.pk}").json()["results"][0]
    hidden = anybody.get(f"/api/v1/matches/{match['id']}/record/")
    assert (hidden.status_code, hidden.json()["code"]) == (409, "not_over")
    public = "".join(
        anybody.get(page).content.decode()
        for page in (
            address,
            f"{address}boards/",
            f"{address}progress/",
            f"/api/v1/matches/?tournament={cup.pk}",
        )
    )
    for board in Board.objects.all():
        assert board.seed not in public

    assert finish_if_done(cup)
    assert {board["seed"] for board in anybody.get(f"{address}boards/").json()["results"]} == set(
        Board.objects.values_list("seed", flat=True)
    )
    record = anybody.get(f"/api/v1/matches/{match['id']}/record/")
    assert hashlib.sha256(record.content).hexdigest() == match["sha256"]
    audit(Record.from_bytes(record.content))
    assert json.loads(record.content)["totals"] == [seat["total"] for seat in match["seats"]]


def test_progress_standings_matches_and_ratings_are_readable_by_anybody(anybody, ann):
    tournament, tables = kit.running(ann, entrants=4, boards=2)
    for table in tables:
        kit.play(table)
    finish_if_done(tournament)
    recompute(tournament.pool)
    address = f"/api/v1/tournaments/{tournament.pk}/"
    progress = anybody.get(f"{address}progress/").json()
    assert (progress["status"], progress["tables"], progress["done"]) == ("finished", 12, 12)
    assert (progress["blocks"], progress["blocks_planned"]) == (8, 8)
    standings = anybody.get(f"{address}standings/").json()
    assert [row["matches"] for row in standings] == [18] * 4
    assert standings == sorted(standings, key=lambda row: row["place"])
    assert sum(row["score"] for row in standings) == pytest.approx(2.0)
    page = anybody.get(f"/api/v1/matches/?tournament={tournament.pk}&page_size=5").json()
    assert (page["count"], len(page["results"])) == (24, 5)
    bot = standings[0]["bot_id"]
    assert anybody.get(f"/api/v1/matches/?bot={bot}").json()["count"] == 18

    ratings = anybody.get(f"/api/v1/ratings/?pool={tournament.pool_id}").json()["results"]
    assert [row["place"] for row in ratings] == [1, 2, 3, 4]
    assert set(ratings[0]) == {
        "pool", "place", "elo", "matches", "wins", "bot", "bot_id", "version", "version_id", "owner"
    }  # fmt: skip
    lowest = anybody.get("/api/v1/ratings/?ordering=elo&page_size=1").json()["results"]
    assert lowest == ratings[-1:]
    assert anybody.get("/api/v1/ratings/?owner=Ann").json()["count"] == 4
    assert anybody.get("/api/v1/ratings/?owner=bob").json()["count"] == 0
    [pool] = anybody.get("/api/v1/pools/?players=3").json()["results"]
    assert (pool["id"], pool["versions"], pool["matches"]) == (tournament.pool_id, 4, 24)
    assert anybody.get(f"/api/v1/pools/{pool['id']}/").json() == pool


def test_a_cancelled_tournament_shows_its_records(as_ann, anybody, ann):
    tournament, tables = kit.running(ann)
    kit.play(tables[0])
    [match] = anybody.get("/api/v1/matches/").json()["results"]
    assert as_ann.post(f"/api/v1/tournaments/{tournament.pk}/cancel/").json()["status"] == "cancelled"
    assert as_ann.post(f"/api/v1/tournaments/{tournament.pk}/cancel/").json()["status"] == "cancelled"
    assert anybody.get(f"/api/v1/matches/{match['id']}/record/").status_code == 200
    assert as_ann.post(f"/api/v1/tournaments/{tournament.pk}/start/").status_code == 409
    assert StatusNote.objects.get(kind="tournament", new="cancelled").by == ann


def test_a_finished_tournament_stays_finished(as_ann, ann):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    finish_if_done(tournament)
    for action in ("open", "start", "cancel"):
        answer = as_ann.post(f"/api/v1/tournaments/{tournament.pk}/{action}/")
        assert answer.status_code == 409
        assert "finished" in answer.json()["message"]
    assert Tournament.objects.get().status == "finished"


def test_the_logs_of_a_match_are_for_those_whose_bots_wrote_them(as_ann, as_bob, as_staff, anybody, ann, bob):
    cup = kit.open_tournament(ann)
    for owner, name in ((ann, "Mine"), (bob, "Theirs"), (ann, "Mine too")):
        kit.tournaments.enter(cup, kit.active(owner, name), owner)
    _, tables = kit.tournaments.start(cup, ann)
    kit.play(tables[0])
    [match] = anybody.get("/api/v1/matches/").json()["results"]
    address = f"/api/v1/matches/{match['id']}/logs/"
    assert [row["bot"] for row in as_ann.get(address).json()] == ["Mine", "Mine too"]
    assert [row["log"] for row in as_bob.get(address).json()] == ["log of Theirs#1"]
    assert len(as_staff.get(address).json()) == 3
    assert anybody.get(address).status_code == 401
    carol = kit.client(kit.user("carol"))
    assert carol.get(address).status_code == 404
    assert "log of" not in anybody.get(f"/api/v1/matches/{match['id']}/").content.decode()


# -- the site -----------------------------------------------------------------------------------------------


def test_the_root_leads_to_the_api_its_description_and_the_ratings(anybody):
    page = anybody.get("/").content.decode()
    for address in ("/api/v1/docs/", "/api/v1/schema/", "/api/v1/ratings/"):
        assert f'href="{address}"' in page
        assert anybody.get(address).status_code == 200


def test_the_description_comes_from_our_own_files(anybody):
    page = anybody.get("/api/v1/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/" in page
    assert "//cdn" not in page
    style = anybody.get("/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css")
    assert style.status_code == 200
    assert b"swagger" in b"".join(style.streaming_content)
    style.close()
