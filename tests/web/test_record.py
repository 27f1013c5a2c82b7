"""A record as a row of moments, beside the engine that plays the same record card by card."""

import pytest

from tests.web.kit import golden_records, node
from tests.web.matches import engine_moments, fresh_records, some_records

pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def records():
    return some_records()


def test_the_matches_looked_at_have_all_that_can_happen(records):
    assert {record["ended"] for record in records} >= {"threshold", "deals", "quick_end", "forfeit"}
    assert any(record["vacated"] for record in records)
    assert {fault["deal"] == 0 for record in records for fault in record["faults"]} == {True, False}
    deals = [deal for record in records for deal in record["deals"]]
    assert any(deal["playoff"] for deal in deals)
    assert any(deal["revokes"] for deal in deals)
    bids = {bid for deal in deals for _, bid in deal["bids"]}
    assert bids == {"pass", "capot", "general"}
    games = {(record["rules"]["variant"], record["rules"]["players"]) for record in records}
    assert len(games) == 5 * 4 + 2


def test_every_moment_is_the_engines(records):
    moments = 0
    for record, found in zip(records, node("moments", records), strict=True):
        expected = engine_moments(record)
        assert len(found) == len(expected)
        for now, wanted in zip(found, expected, strict=True):
            if wanted is not None:
                moments += 1
                assert {key: now[key] for key in wanted} == wanted
    assert moments > 10_000


def test_totals_and_points_are_those_of_the_record():
    every = [*golden_records(), *fresh_records()]
    assert node("agrees", every) == [True] * len(every)


def test_a_record_whose_totals_or_points_are_not_its_cards_does_not_agree(records):
    totals = records[0] | {"totals": [total + 1 for total in records[0]["totals"]]}
    deal = records[0]["deals"][0]
    points = records[0] | {"deals": [deal | {"points": deal["points"][::-1]}, *records[0]["deals"][1:]]}
    assert deal["points"] != deal["points"][::-1]
    assert node("agrees", [totals, points]) == [False, False]


def test_faults_are_told_at_the_decision_where_they_happened(records):
    faulty = [record for record in records if record["faults"]]
    for record, found in zip(faulty, node("faultsSeen", faulty), strict=True):
        seats = range(record["rules"]["players"])
        early = [fault for fault in record["faults"] if fault["deal"] == 0]
        assert found["first"] == [[fault for fault in early if fault["seat"] == seat] for seat in seats]
        assert [at["fault"] for at in found["seen"]] == record["faults"][len(early) :]
        assert all(at["seat"] == at["fault"]["seat"] for at in found["seen"])
        assert found["faults"] == [[f for f in record["faults"] if f["seat"] == seat] for seat in seats]
        given_up = {vacated["seat"] for vacated in record["vacated"]}
        assert found["vacated"] == [seat in given_up for seat in seats]


@pytest.fixture(scope="module")
def ways(records):
    some = records[::12]
    return list(zip(some, node("ways", some), strict=True))


def test_a_moment_is_the_same_however_it_is_come_to(ways):
    for _, way in ways:
        assert way["pure"]
        assert way["beyond"] == [0, len(way["kinds"]) - 1, 0]


def test_jumps_lead_to_deals_and_tricks(ways):
    for record, way in ways:
        assert [way["kinds"][at] for at in way["deals"]] == ["deal"] * len(record["deals"])
        for at in way["tricks"]:
            assert way["kinds"][at] in {"deal", "bid", "trick"}
            assert way["kinds"][at + 1] == "card"


def test_steps_by_trick_and_by_deal_go_one_way_and_stop_at_the_ends(ways):
    for _, way in ways:
        last = len(way["kinds"]) - 1
        for on, back in (("trickOn", "trickBack"), ("dealOn", "dealBack")):
            assert all(at < new or new == last for at, new in enumerate(way[on]))
            assert all(at > new or new == 0 for at, new in enumerate(way[back]))
        assert {way["kinds"][at] for at in way["dealOn"]} <= {"deal", "end"}
        assert not {way["kinds"][at] for at in way["trickOn"]} & {"card", "bid"}


def test_every_moment_has_a_name_of_its_own(ways):
    for _, way in ways:
        assert len(set(way["names"])) == len(way["names"])
        assert way["named"] == list(range(len(way["names"])))
        assert way["nowhere"] == [None] * 6
        assert way["names"][0] == "1"
        assert way["names"][-2:] == [f"{len(way['deals'])}.points", "end"]


def test_at_each_moment_each_seat_has_its_latest_time_and_its_bank_where_they_are_known(records):
    record = next(r for r in records if len(r["deals"]) > 1 and not r["vacated"])
    decisions = [decided(deal) for deal in record["deals"]]
    times = [[1200.0 if at == 1 else float(at) for at in range(len(deal))] for deal in decisions]
    banks = [[9000 - at for at in range(len(deal))] for deal in decisions]
    deals = [
        {"deal": at, "charged_ms": charged, "bank_ms": left}
        for at, (charged, left) in enumerate(zip(times, banks, strict=True), start=1)
    ]
    clock = {"move_ms": 1000, "bank_ms": 10_000, "seats": [], "deals": deals}
    (found,) = node("clocks", [record | {"clock": clock}])
    fresh = {"chargedMs": None, "bankMs": 10_000, "over": False}
    assert found[0] == [fresh] * record["rules"]["players"]
    assert found[1][decisions[0][0]] == {"chargedMs": 0, "bankMs": 9000, "over": False}
    assert found[2][decisions[0][1]] == {"chargedMs": 1200, "bankMs": 8999, "over": True}
    last = {seat: at for at, seat in enumerate(decisions[-1])}
    assert [each["chargedMs"] for each in found[-1]] == [
        1200.0 if last[seat] == 1 else last[seat] for seat in sorted(last)
    ]
    assert node("clocks", [record | {"clock": None}])[0][0] is None


def decided(deal):
    holder = {card: seat for seat, hand in zip(deal["seats"], deal["hands"], strict=True) for card in hand}
    cards = [card for trick in deal["tricks"] for card in trick["cards"]]
    return [seat for seat, _ in deal["bids"]] + [holder[card] for card in cards]


@pytest.mark.parametrize("value", [None, {}, [], {"format": "polignac-record/2", "deals": [1]}])
def test_what_is_no_record_is_refused(value):
    assert node("refused", [value]) == ["TypeError: not a match record (polignac-record/1)"]
