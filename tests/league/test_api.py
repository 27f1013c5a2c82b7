"""Users, tokens, bots and versions through the REST API, sentence by sentence."""

import hashlib
import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.bots import services as bots
from league.bots.models import Version
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


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(anybody, ann):
    answers = [
        anybody.post("/api/v1/tokens/", {"username": name, "password": "wrong"})
        for name in ("ann", "nobody at all")
    ]
    assert [answer.status_code for answer in answers] == [400, 400]
    told = [{**answer.json(), "request_id": ""} for answer in answers]
    assert told[0] == told[1]


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
    made = as_ann.post("/api/v1/bots/", {"name": "Dodger"}).json()
    assert (made["name"], made["owner"], made["current"]) == ("Dodger", "ann", None)
    assert anybody.get(f"/api/v1/bots/{made['id']}/").json() == made
    assert anybody.get("/api/v1/bots/?owner=ANN").json()["results"] == [made]
    assert anybody.get("/api/v1/bots/?owner=bob").json()["results"] == []
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
    assert (again.status_code, again.json()) == (200, {**version, "new": False})
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
        assert anybody.get(address).status_code == (401 if address.endswith("source/") else 404)
    listing = f"/api/v1/bots/{version.bot_id}/versions/"
    rows = [len(c.get(listing).json()["results"]) for c in (as_ann, as_staff, as_bob, anybody)]
    assert rows == [1, 1, 0, 0]
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
