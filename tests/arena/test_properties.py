"""What holds for every game: any rules, any cards, any play."""

import json

import msgspec
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from arena.audit import Unsound, audit, audit_bytes
from arena.cards import list_cards
from arena.deal import Deal, DealEnding
from arena.errors import IllegalMove
from arena.match import Dealt, Match, MatchEnding, shuffled
from arena.protocol import encode
from arena.record import Record, record_of
from arena.rules import Bid, FailedBid, Revoke, Rules, pack_for
from arena.shuffle import commitment, deal_cards, hand_sizes, shuffle_checked, shuffled_pack
from arena.view import View
from tests.support.games import SEEDS, any_card, play_by_chance, referee_by_chance, rules


@given(SEEDS, st.integers(1, 220), st.integers(0, 3), rules())
def test_every_card_of_the_pack_is_dealt_once(seed, number, attempt, game):
    hands = deal_cards(seed, number, attempt, game.players, game.deal)
    assert sorted(card for hand in hands for card in hand) == sorted(pack_for(game.players, game.deal))
    assert tuple(map(len, hands)) == hand_sizes(game.players, game.deal)


@given(SEEDS, st.integers(1, 220), st.sampled_from([3, 4]))
def test_the_quick_shuffle_is_the_shuffle_word_by_word(seed, number, players):
    pack = pack_for(players, Rules.make(players=players).deal)
    name = seed + f"polignac/1/deal/{number}/0".encode()
    assert shuffled_pack(seed, number, 0, pack) == shuffle_checked(name, pack)


@given(rules(), SEEDS)
def test_no_card_is_lost_or_doubled_in_play(game, seed):
    for hand in play_by_chance(game, seed).hands:
        played = [card for _, cards in hand.play.tricks for card in cards]
        left = [card for place in range(len(hand.cards)) for card in list_cards(hand.play.hand(place))]
        assert sorted(played + left) == sorted(card for cards in hand.cards for card in cards)
        if hand.play.ending is DealEnding.PLAYED:
            assert not left


@given(rules(), SEEDS)
def test_the_points_of_a_deal_are_those_of_the_rules(game, seed):
    """An independent count from the finished tricks alone (rules.md § 6)."""
    for hand in play_by_chance(game, seed).hands:
        deal = hand.play
        players = range(len(hand.cards))
        if deal.ending is DealEnding.FORFEIT:
            assert deal.points() == [0 for _ in players]
            continue
        taken = {place: [] for place in players}
        for number, ((_, cards), winner) in enumerate(zip(deal.tricks, deal.winners, strict=True), start=1):
            taken[winner].append((number, cards))
        whole = deal.ending is DealEnding.PLAYED
        captured = {place: count(game, taken[place], len(deal.tricks), whole) for place in players}
        expected = bid_points(game, deal, hand, captured)
        if whole:
            for _, place in deal.revokes:
                expected[place] += 5
        assert deal.points() == [expected[place] for place in players]


def count(game, tricks, last, whole):
    points = dict(game.card_points)
    total = sum(points.get(text, 0) for _, cards in tricks for text in map("".join, texts(cards)))
    numbers = {number for number, _ in tricks}
    total += game.first_trick * (1 in numbers)
    if whole:
        total += game.last_trick * (last in numbers)
        queen = any("QC" in texts(cards) for _, cards in tricks)
        total += game.all_three_bonus * (1 in numbers and last in numbers and queen)
    return total


def texts(cards):
    return ["KQJAT987"[card % 8] + "SHDC"[card // 8] for card in cards]


def bid_points(game, deal, hand, captured):
    bids = [(place, bid) for place, bid in deal.bids if bid is not Bid.PASS]
    if not bids:
        return dict(captured)
    (announcer, bid), *_ = bids
    size = len(hand.cards[announcer])
    lost = any(winner != announcer for winner in deal.winners[:size])
    revoked = any(place == announcer for _, place in deal.revokes)
    if lost or revoked:
        own = captured[announcer] if game.failed_bid is FailedBid.ADD else 0
        return captured | {announcer: 5 + own}
    assert deal.ending is DealEnding.PLAYED, "an undecided bid lets no quick end happen"
    return dict.fromkeys(captured, 5) | {announcer: 0 if bid is Bid.CAPOT else -5}


@given(rules(bids=[], revoke=Revoke.CORRECT, quick_end=False), SEEDS)
def test_without_bids_and_revokes_a_deal_gives_out_all_points_there_are(game, seed):
    deal = play_by_chance(game, seed).hands[0].play
    in_pack = sum(points for _, points in game.card_points)
    tricks = game.first_trick + game.last_trick
    assert sum(deal.points()) - in_pack - tricks in {0, game.all_three_bonus}


@given(rules(), SEEDS, st.integers(0, 5))
def test_ranks_follow_the_totals(game, seed, dealer):
    match = play_by_chance(game, seed, dealer % game.players)
    ranks = match.ranks()
    assert min(ranks) == 1
    for rank in ranks:
        assert rank == 1 + sum(other < rank for other in ranks)
    seats = set(range(game.players))
    if match.ending is MatchEnding.FORFEIT:
        seats.remove(ranks.index(game.players))
    for one in seats:
        for other in seats:
            if match.totals[one] < match.totals[other]:
                assert ranks[one] < ranks[other]


@given(rules(), SEEDS, st.integers(0, 5))
def test_a_record_of_play_is_sound_and_comes_back_from_its_bytes(game, seed, dealer):
    match = play_by_chance(game, seed, dealer % game.players)
    record = record_of(match, name="m", seed=seed, bots=["b"] * game.players)
    audit(record)
    data = record.to_bytes()
    assert Record.from_bytes(data) == record
    assert Record.from_bytes(data).to_bytes() == data
    assert b" " not in data


@settings(max_examples=200)
@given(rules(), SEEDS, st.integers(0, 5), st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([0.0, 0.02, 0.2]))
def test_a_refereed_match_is_sound_whatever_the_bots_do(game, seed, dealer, mischief, risk):
    record = referee_by_chance(game, seed, mischief, risk, dealer % game.players)
    audit(record)
    assert (
        referee_by_chance(game, seed, mischief, risk, dealer % game.players).to_bytes() == record.to_bytes()
    )


def test_a_record_of_supplied_boards_is_checked_for_misdeals():
    game = Rules.make(players=3, deals=1, bids=[])
    record = record_of(play_by_chance(game, bytes(32)), name="m", seed=None, bots="abc")
    audit(record)
    (deal, *rest) = record.deals
    hands = [list(hand) for hand in deal.hands]
    hands[0][0] = hands[1][0]
    spoilt = msgspec.structs.replace(deal, hands=tuple(map(tuple, hands)))
    with pytest.raises(Unsound, match="was dealt twice"):
        audit(msgspec.structs.replace(record, deals=(spoilt, *rest)))


# -- a single changed field -------------------------------------------------------------------------------


def leaves(value, path=()):
    """The path of every number, text, truth value and null in a JSON value."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from leaves(value[index], (*path, index))
    else:
        yield path


# What nothing else in a record determines: names, and a fault's reason.
FREE = {"match", "bots", "detail"}


@settings(max_examples=200)
@given(rules(), SEEDS, st.randoms(use_true_random=False))
def test_any_single_changed_field_is_caught(game, seed, chance):
    record = json.loads(referee_by_chance(game, seed, 0.05, 0.01).to_bytes())
    path = chance.choice([p for p in leaves(record) if not FREE & set(p)])
    *way, last = path
    holder = record
    for step in way:
        holder = holder[step]
    before = holder[last]
    holder[last] = mutated(before, chance)
    # Two things can't be recomputed: whether another option would have led to the same course of play, and
    # what the referee saw; a fault noted of another decision that took the same action is as good.
    assume(not (path[0] in {"rules", "faults"} and sound(record)))
    # Where a deal was cut short, another card may have been played to the same effect.
    assume(not ("tricks" in path and record["ended"] in {"forfeit", "quick_end"} and sound(record)))
    note(f"{path}: {before!r} -> {holder[last]!r}")
    with pytest.raises(Unsound):
        audit_bytes(json.dumps(record).encode())


def mutated(value, chance):
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice([-1, 1])
        case None:
            return 1
        case str() if len(value) == 2:
            return chance.choice([text for text in ("JS", "7H", "AD", "KC") if text != value])
        case str():
            return value[:-1] + ("0" if value[-1] != "0" else "1")
    raise AssertionError(value)


def sound(record):
    try:
        audit_bytes(json.dumps(record).encode())
    except Unsound:
        return False
    return True


@given(rules(), SEEDS, st.randoms(use_true_random=False))
def test_any_two_cards_exchanged_between_or_within_hands_are_caught(game, seed, chance):
    record = record_of(play_by_chance(game, seed), name="m", seed=seed, bots=["b"] * game.players)
    line = json.loads(record.to_bytes())
    hands = chance.choice(line["deals"])["hands"]
    one, other = chance.sample([text for hand in hands for text in hand], 2)
    hands[:] = [[{one: other, other: one}.get(text, text) for text in hand] for hand in hands]
    with pytest.raises(Unsound):
        audit_bytes(json.dumps(line).encode())


# -- hidden cards ----------------------------------------------------------------------------------------


@given(rules(revoke=Revoke.CORRECT), SEEDS, st.randoms(use_true_random=False))
def test_a_view_never_depends_on_hidden_cards(game, seed, chance):
    """Swap what the others hold and have not shown: not a byte of what a seat is sent changes."""
    match = Match(game, shuffled(seed, game))
    match.next_deal()
    watcher = chance.randrange(game.players)
    moves = []
    for _ in range(chance.randrange(4 * game.players)):
        if match.deal.legal:
            moves.append(any_card(chance, match))
            match.deal.play(moves[-1])
        elif not match.deal.over:
            match.deal.bid(Bid.PASS)
    twin = Match(game, lambda number, players: Dealt(0, swapped(match, moves, watcher, chance)))
    twin.next_deal()
    for _ in match.deal.bids:
        twin.deal.bid(Bid.PASS)
    try:
        for card in moves:
            twin.deal.play(card)
    except IllegalMove:
        assume(False)  # in the other deal this course of play would have been a revoke
    assert told(twin, watcher) == told(match, watcher)


def swapped(match, moves, watcher, chance):
    """The same deal with the cards that the watcher can't know of dealt out anew to the others."""
    hand = match.hands[-1]
    own = hand.play.seats.index(watcher)
    hidden = [card for p, cards in enumerate(hand.cards) for card in cards if p != own and card not in moves]
    chance.shuffle(hidden)
    return [
        cards if p == own else [card if card in moves else hidden.pop() for card in cards]
        for p, cards in enumerate(hand.cards)
    ]


def told(match, seat):
    """All that this seat could be sent now."""
    view, hand = View(seat, []), match.hands[-1]
    messages = [view.deal_start(hand, match.totals, "luck")]
    if not hand.play.over and hand.play.turn == seat:
        ask = view.play_question if hand.play.legal else view.bid_question
        messages.append(ask("id", hand, 0))
    messages.append(view.deal_end(hand, match.totals))
    return encode(messages)


@given(rules(), SEEDS)
def test_a_copy_of_a_deal_goes_its_own_way(game, seed):
    match = Match(game, shuffled(seed, game))
    match.next_deal()
    deal = match.deal
    while not deal.legal:
        deal.bid(Bid.PASS)
    twin = deal.copy()
    before = (list_cards(deal.hand(0)), list(deal.trick), deal.turn)
    twin.play(list_cards(twin.legal)[0])
    assert (list_cards(deal.hand(0)), list(deal.trick), deal.turn) == before
    assert isinstance(twin, Deal)


@given(SEEDS)
def test_the_commitment_tells_nothing_but_the_seed_opens_it(seed):
    assert commitment(seed) != commitment(bytes(31) + bytes([seed[0] ^ 1]))
    assert len(commitment(seed)) == 64
