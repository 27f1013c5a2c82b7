"""Nobody sets what isn't theirs to set (A4): whatever else a body has is refused, and nothing is written."""

import json

import pytest
from django.apps import apps
from django.core import serializers
from drf_spectacular.generators import SchemaGenerator

from tests.league import kit

pytestmark = pytest.mark.django_db
#: What somebody would like to set, of users, bots, versions, tournaments, entrants and tokens.
WISHES = {
    "id": 1,
    "owner": "root",
    "organiser": 1,
    "user": 1,
    "rating": 3000,
    "status": "finished",
    "validated": True,
    "is_staff": True,
    "is_superuser": True,
    "is_active": True,
    "username_key": "root",
    "granted": "admin",
    "expiry": "2999-01-01T00:00:00Z",
    "seed": "00",
    "__class__": "admin",
}


def written():
    """Everything in the database but who asked when, as one text."""
    ours = [model for model in apps.get_models() if model.__module__.startswith("league.")]
    rows = [row for model in ours for row in model.objects.order_by("pk")]
    data = serializers.serialize("json", rows)
    return [{**row, "fields": {**row["fields"], "last_used_at": None}} for row in json.loads(data)]


def test_every_body_is_closed():
    document = SchemaGenerator().get_schema(request=None, public=True)
    seen = 0
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                name = media["schema"]["$ref"].rpartition("/")[2]
                schema = document["components"]["schemas"][name]
                assert schema["additionalProperties"] is False, f"{method} {path}: {name} is no Body"
                seen += 1
    assert seen >= 9


@pytest.fixture
def writes(ann):
    """Each write that takes a body, with one that is right, for Ann."""
    bot = kit.bots.create_bot(ann, "Dodger")
    cup = kit.open_tournament(ann)
    version = kit.active(ann, "Other")
    account = {"username": "ann", "password": kit.PASSWORD}
    return {
        "/api/v1/users/": {"username": "eve", "password": kit.PASSWORD},
        "/api/v1/users/me/password/": {"old": kit.PASSWORD, "new": "another long one"},
        "/api/v1/tokens/": account,
        "/api/v1/bots/": {"name": "Third"},
        f"/api/v1/bots/{bot.pk}/versions/": {"file": "no file"},
        "/api/v1/tournaments/": {"name": "Second", "rules": kit.QUICK},
        "/api/v1/tournaments/preview/": {"entrants": 4, "rules": kit.QUICK},
        f"/api/v1/tournaments/{cup.pk}/entrants/": {"version": version.pk},
        "/api/v1/sittings/": {"versions": [version.pk, version.pk], "rules": kit.QUICK},
        f"/api/v1/tournaments/{cup.pk}/extend/": {"boards": 2},
    }


def test_a_body_with_more_than_it_may_have_is_refused_and_writes_nothing(writes, as_ann):
    before = written()
    for address, body in writes.items():
        form = "multipart" if address.endswith("/versions/") else "json"
        answer = as_ann.post(address, {**body, **WISHES}, format=form)
        assert answer.status_code == 400, address
        refused = {error["field"]: error["code"] for error in answer.json()["errors"]}
        assert refused == dict.fromkeys(WISHES, "unknown_field"), address
        assert answer.json()["errors"][0]["detail"].startswith("There is no such field; there are ")
    assert written() == before


def test_a_body_where_none_is_taken_changes_nothing_of_what_is_done(as_ann, ann, staff):
    cup = kit.open_tournament(ann)
    kit.entered(cup, 3)
    for action in ("open", "start", "pause", "resume", "replay", "cancel"):
        as_ann.post(
            f"/api/v1/tournaments/{cup.pk}/{action}/", {**WISHES, "rated": False, "organiser_id": staff.pk}
        )
    cup.refresh_from_db()
    assert (cup.status, cup.organiser, cup.rated) == ("cancelled", ann, True)
    ann.refresh_from_db()
    assert (ann.is_staff, ann.is_superuser, ann.is_active) == (False, False, True)
