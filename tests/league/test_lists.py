"""Lists: pages that neither repeat nor lose a row, orderings and filters on an allow list."""

import pytest
from django.core.signing import Signer
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.bots.models import Bot
from league.bots.services import create_bot
from league.tournaments.models import Tournament
from tests.league import kit

pytestmark = pytest.mark.django_db


def pages(api, address):
    """All pages of a list, forwards, by following `next`."""
    while address:
        answer = api.get(address)
        assert answer.status_code == 200, answer.content
        yield answer.json()
        address = answer.json()["next"]


def backwards(api, page):
    """All pages before this one, by following `previous`."""
    while page["previous"]:
        page = api.get(page["previous"]).json()
        yield page


@pytest.fixture
def cups(ann):
    """Seven tournaments; some began together, some not at all."""
    now = timezone.now()
    for number in range(7):
        cup = kit.open_tournament(ann, f"Cup {number}")
        began = (
            now if number % 3 == 0 else now - timezone.timedelta(hours=number) if number % 3 == 1 else None
        )
        Tournament.objects.filter(pk=cup.pk).update(started_at=began)
    return list(Tournament.objects.order_by("pk"))


@pytest.mark.parametrize(
    "ordering", ["", "name", "-name", "started_at", "-started_at", "started_at,-name", "-created_at"]
)
def test_pages_give_every_row_once_in_both_directions(anybody, cups, ordering):
    address = "/api/v1/tournaments/?page_size=2" + (f"&ordering={ordering}" if ordering else "")
    forwards = list(pages(anybody, address))
    ids = [row["id"] for page in forwards for row in page["results"]]
    assert sorted(ids) == [cup.pk for cup in cups]
    assert [len(page["results"]) for page in forwards] == [2, 2, 2, 1]
    assert (forwards[0]["previous"], forwards[-1]["next"]) == (None, None)
    back = [page["results"] for page in backwards(anybody, forwards[-1])]
    assert back[::-1] == [page["results"] for page in forwards[:-1]]


def test_orderings_are_what_they_say_and_what_has_no_value_is_the_largest(anybody, cups):
    def listed(ordering):
        return [
            row["started_at"]
            for row in anybody.get(f"/api/v1/tournaments/?ordering={ordering}").json()["results"]
        ]

    rising = listed("started_at")
    assert rising == sorted(rising, key=lambda at: (at is None, at))
    assert listed("-started_at") == rising[::-1]


def test_rows_that_come_and_go_neither_repeat_others_nor_hide_them(anybody, ann):
    bots = [create_bot(ann, f"Bot {number}") for number in range(6)]
    first = anybody.get("/api/v1/bots/?page_size=3&ordering=-created_at").json()
    create_bot(ann, "Newest")
    Bot.objects.filter(pk=bots[3].pk).delete()  # the row that the cursor was made of
    second = anybody.get(first["next"]).json()
    assert [row["name"] for row in first["results"]] == ["Bot 5", "Bot 4", "Bot 3"]
    assert [row["name"] for row in second["results"]] == ["Bot 2", "Bot 1", "Bot 0"]


def test_a_page_counts_nothing_and_skips_nothing(anybody, cups):
    first = anybody.get("/api/v1/tournaments/?page_size=3").json()
    with CaptureQueriesContext(connection) as queries:
        anybody.get(first["next"])
    [query] = [query["sql"] for query in queries if "tournaments_tournament" in query["sql"]]
    assert "OFFSET" not in query
    assert not query.startswith("SELECT COUNT")


@pytest.mark.parametrize("cursor", ["x", "x:y", "%00", "\ud800".encode("utf-8", "surrogatepass").hex()])
def test_a_cursor_that_was_made_up_is_a_400(anybody, cups, cursor):
    error = anybody.get(f"/api/v1/tournaments/?cursor={cursor}")
    assert (error.status_code, error.json()["code"], error.json()["field"]) == (400, "bad_cursor", "cursor")


def test_a_cursor_of_another_list_is_a_400(anybody, cups, ann):
    for number in range(3):
        create_bot(ann, f"Bot {number}")
    _, query = anybody.get("/api/v1/tournaments/?page_size=2").json()["next"].split("?")
    assert anybody.get(f"/api/v1/tournaments/?{query}").status_code == 200
    assert anybody.get(f"/api/v1/bots/?{query}").json()["code"] == "bad_cursor"


def test_a_cursor_of_another_ordering_or_another_signer_is_a_400(anybody, cups):
    address = anybody.get("/api/v1/tournaments/?page_size=2").json()["next"]
    assert anybody.get(f"{address}&ordering=name").json()["code"] == "bad_cursor"
    forged = Signer(key="x" * 50, salt="league.api.cursor").sign_object([["id"], False, [0]])
    assert anybody.get(f"/api/v1/tournaments/?cursor={forged}").json()["code"] == "bad_cursor"


@pytest.mark.parametrize(
    ("address", "known"),
    [
        (
            "tournaments/?colour=red",
            "cursor, name, ordering, organiser, page_size, pool, status, takes_entrants",
        ),
        (
            "matches/?Bot=1",
            "board, bot, cursor, fault, group, ordering, page_size, table, tournament, version",
        ),
        ("pools/?ordering=id", "cursor, page_size, players, variant"),
        ("ratings/?page=2", "bot, cursor, ordering, owner, page_size, pool, search, version"),
    ],
)
def test_an_unknown_parameter_is_refused_and_the_known_are_named(anybody, address, known):
    error = anybody.get(f"/api/v1/{address}")
    assert (error.status_code, error.json()["code"]) == (400, "unknown_parameter")
    assert error.json()["detail"].endswith(f"known: {known}.")


def test_lists_within_a_tournament_have_pages_and_refuse_filters_too(anybody, ann):
    tournament, _ = kit.running(ann, entrants=4, boards=2)
    for what, many in (("boards", 8), ("entrants", 4)):
        address = f"/api/v1/tournaments/{tournament.pk}/{what}/"
        rows = [row["id"] for page in pages(anybody, f"{address}?page_size=3") for row in page["results"]]
        assert len(set(rows)) == len(rows) == many
        assert anybody.get(f"{address}?seed=1").json()["code"] == "unknown_parameter"


def test_a_page_has_as_many_rows_as_asked_for_and_200_at_most(anybody, ann):
    Bot.objects.bulk_create(
        Bot(owner=ann, name=f"Bot {number}", name_key=f"bot {number}") for number in range(205)
    )
    assert [len(page["results"]) for page in pages(anybody, "/api/v1/bots/?page_size=200")] == [200, 5]
    assert len(anybody.get("/api/v1/bots/").json()["results"]) == 50
    error = anybody.get("/api/v1/bots/?page_size=201")
    assert (error.status_code, error.json()["code"], error.json()["field"]) == (
        400,
        "bad_number",
        "page_size",
    )
