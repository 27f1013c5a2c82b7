"""The REST client, against the real site: what authors, organisers and visitors do."""

import pytest

from arena.audit import audit_bytes
from client.api import Api, ApiError
from sandbox.reference import reference_package

PASSWORD = "correct horse battery"


@pytest.fixture
def ann(site):
    with account(site, "ann") as api:
        yield api


def account(site, name):
    """Somebody who has signed up and logged in."""
    api = Api(site)
    api.sign_up(name, PASSWORD)
    api.log_in(name, PASSWORD)
    return api


def active_version(api, name, player):
    """A version uploaded through the API; its check is taken as passed."""
    from league.bots import services

    bot = api.create_bot(name)
    version = api.upload(bot["id"], f"{player}.zip", reference_package(player).to_zip())
    assert version["status"] == "received"
    services.finish_check(services.claim_version(version["id"]))
    return version["id"]


def test_a_tournament_from_the_uploads_to_the_ratings(site, ann, monkeypatch):
    from league.pipeline.rate import rate_sheet, table_done
    from league.ratings.selectors import behind
    from league.tournaments.models import Table
    from tests.league import kit

    monkeypatch.setattr("client.api._PAGE_SIZE", 2)  # so that every list has several pages
    cup = ann.create_tournament("Cup", {"players": 3, "deals": 2}, format="swiss", options={"rounds": 1})[
        "id"
    ]
    assert ann.open_tournament(cup)["status"] == "open"
    ann.steer(cup, "cancel")
    cup = ann.create_tournament("Cup 2", {"players": 3, "deals": 2})["id"]
    ann.open_tournament(cup)
    for player in ("lowest", "dodger", "random", "counter"):
        with account(site, f"author of {player}") as author:
            version = active_version(author, player.capitalize(), player)
            assert author.wait_for_version(version)["status"] == "active"
            entrant = author.enter(cup, version)["id"]
    ann.withdraw(cup, entrant)
    assert ann.preview(cup)["tables"] == 3
    started = ann.start_tournament(cup)
    assert (started["status"], ann.progress(cup)["tables"]) == ("running", 3)
    assert [ann.steer(cup, action)["status"] for action in ("pause", "resume")] == ["paused", "running"]
    assert ann.steer(cup, "extend", boards=2)["boards"] == 2
    for table in Table.objects.select_related("group", "tournament"):
        kit.play(table.pk)
        table_done(table)
    for sheet in behind():
        rate_sheet(sheet.pk)
    assert ann.tournament(cup)["status"] == "finished"
    with Api(site) as visitor:
        assert [row["place"] for row in visitor.standings(cup)] == [1, 2, 3]
        assert visitor.pool(started["pool"])["snapshot"]["matches"] == 6
        assert started["pool"] in [pool["id"] for pool in visitor.pools()]
        ratings = list(visitor.ratings(started["pool"]))
        assert sorted(row["bot"] for row in ratings) == ["Dodger", "Lowest", "Random"]
        assert list(visitor.ratings()) == ratings
        matches = list(visitor.matches(cup))
        assert len(matches) == 6
        for match in matches:
            audit_bytes(visitor.record(match["id"]))


def test_a_refusal_is_told_with_the_sites_code_sentence_and_field(ann):
    with pytest.raises(ApiError) as caught:
        ann.create_tournament("Cup", {"threshold": 0})
    error = caught.value
    assert error.status == 400
    assert error.field == "rules.threshold"
    assert error.code
    assert error.message in str(error)
    assert error.errors[0]["field"] == "rules.threshold"


def test_what_is_not_a_package_is_refused_with_its_reason(ann):
    bot = ann.create_bot("Dodger")
    with pytest.raises(ApiError, match="unknown_language") as caught:
        ann.upload(bot["id"], "bot.txt", b"hello")
    assert caught.value.status == 400


def test_after_logging_out_the_token_is_worth_nothing(site, ann):
    token = ann.log_in("ann", PASSWORD)
    ann.log_out()
    with pytest.raises(ApiError) as caught:
        Api(site, token).me()
    assert caught.value.status == 401


def test_a_token_from_before_is_enough(site, ann):
    token = ann.log_in("ann", PASSWORD)
    with Api(site, token) as again:
        assert again.me()["username"] == "ann"


def test_a_tournament_that_can_not_start_says_why(ann):
    cup = ann.create_tournament("Cup")["id"]
    with pytest.raises(ApiError) as caught:
        ann.start_tournament(cup)
    assert caught.value.status == 409
    assert ann.steer(cup, "cancel")["status"] == "cancelled"


def test_a_site_that_does_not_answer_is_an_error_of_the_same_kind():
    with Api("http://127.0.0.1:9") as api, pytest.raises(ApiError, match="does not answer") as caught:
        api.me()
    assert (caught.value.status, caught.value.code) == (0, "unreachable")


def test_an_answer_that_is_not_the_apis_says_its_status(site):
    with Api(site + "/elsewhere") as api, pytest.raises(ApiError, match="404") as caught:
        api.me()
    assert caught.value.status == 404


def test_waiting_for_a_check_ends(ann):
    bot = ann.create_bot("Dodger")
    version = ann.upload(bot["id"], "dodger.zip", reference_package("dodger").to_zip())
    with pytest.raises(TimeoutError, match="is still received after 0 s"):
        ann.wait_for_version(version["id"], timeout_s=0)
