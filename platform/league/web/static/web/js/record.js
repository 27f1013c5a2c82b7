// A match record (docs/record.md) as a row of moments: a pure function from a position to what the table looks
// like then. Nothing here touches a page.

import { Play, sorted } from "./play.js";

const FORMAT = "polignac-record/1";

/**
 * Make a record ready to be looked at.
 *
 * @param {object} record a parsed match record; or what one seat has seen of a match so far, with nulls for what
 *   it does not know: its last deal is not over while its `points` are null, nor the match while `ended` is
 * @param {?object} clock the API's `matches/{id}/clock/`; null where that is not known (a record has no times)
 * @returns {object} a match. `steps[p]` is what leads to position p: its `kind` is "deal", "bid", "card",
 *   "trick" (it is taken), "points" (of the deal) or "end" (of the match); `deal` is an index; `trick` counts
 *   from 1, 0 in the bidding; `place` counts bids and cards from 1; `action` is the bid or the card, `seat`
 *   whose; `fault` is the fault at this decision or null; `vacates`, whether the seat is given up by it.
 *   `agrees`: whether all points and totals of the record are those that its cards give.
 * @throws {TypeError} this is no match record
 */
export function readMatch(record, clock = null) {
  if (record?.format !== FORMAT || !record.deals?.length) throw new TypeError(`not a match record (${FORMAT})`);
  const steps = [];
  const sums = [record.totals.map(() => 0)];
  let agrees = true;
  record.deals.forEach((deal, index) => {
    const play = new Play(record.rules, deal, sums[index]);
    steps.push(...stepsOf(play, deal, index));
    sums.push(sumsAfter(play, deal));
    agrees &&= deal.points?.every((points, place) => play.points()[deal.seats[place]] === points) ?? true;
  });
  if (record.ended !== null) {
    steps.push(stepTo("end", record.deals.length - 1));
    agrees &&= record.totals.every((total, seat) => total === sums.at(-1)[seat]);
  }
  noteFaults(record, steps);
  const starts = steps.flatMap((step, position) => (step.kind === "deal" ? [position] : []));
  return { record, steps, starts, sums, clock, times: timesOf(clock), agrees };
}

const stepTo = (kind, deal, trick = 0, place = 0, seat = null, action = null) =>
  ({ kind, deal, trick, place, seat, action });

// Plays the deal to its end on the way.
function stepsOf(play, deal, index) {
  const steps = [stepTo("deal", index)];
  for (const [, bid] of deal.bids) {
    steps.push(stepTo("bid", index, 0, play.bids.length + 1, play.turn, bid));
    play.bid(bid);
  }
  deal.tricks.forEach(({ cards }, t) => {
    for (const card of cards) {
      steps.push(stepTo("card", index, t + 1, play.trick.length + 1, play.turn, card));
      play.card(card);
    }
    if (play.ended || play.turn !== null) return; // A forfeit: nobody takes this trick; or it is not complete.
    play.take();
    steps.push(stepTo("trick", index, t + 1));
  });
  if (deal.points) steps.push(stepTo("points", index));
  return steps;
}

// Points of play-offs do not enter; a forfeit raises the offender's total to the threshold.
function sumsAfter(play, deal) {
  if (deal.playoff) return play.totals;
  const points = play.points();
  const sums = play.totals.map((sum, seat) => sum + points[seat]);
  if (play.ended === "forfeit") {
    const offender = play.trick.at(-1).seat;
    sums[offender] = Math.max(sums[offender], play.rules.threshold ?? sums[offender]);
  }
  return sums;
}

function noteFaults({ faults, vacated }, steps) {
  const key = ({ deal, trick, seat }) => `${deal}.${trick}.${seat}`;
  const faultAt = new Map(faults.map((fault) => [key(fault), fault]));
  const vacatedAt = new Set(vacated.map(key));
  for (const step of steps) {
    const at = step.seat === null ? "" : key({ ...step, deal: step.deal + 1 });
    step.fault = faultAt.get(at) ?? null;
    step.vacates = vacatedAt.has(at);
  }
}

/**
 * What the table looks like at a position, 0 to `match.steps.length - 1`; others are brought within.
 *
 * All lists are by seat unless said otherwise:
 * - `position`, `last` (the last position), `step`: see readMatch
 * - `deal` from 1, `deals` (null while more may come), `playoff`, `dealer`, `seats` (who plays, from the eldest hand on)
 * - `trick` from 1, 0 in the bidding; `tricks`, how many there will have been in this deal
 * - `turn`, the seat that decides next, or null; `legal`, the cards that it may play
 * - `hands`, sorted lists of cards; `table`, the cards of the trick as {seat, card} in order played
 * - `lastTrick`, the one taken last in this deal, as {leader, table, winner}, or null
 * - `winning`, whose card is the highest on the table; `winner`, who has just taken the trick; both seats or null
 * - `taken`, the tricks of each seat, as {trick, cards, costs}; costs are a list of {for, points}: for a card, or
 *   for the "first" trick, the "last" trick, "all three"
 * - `bids` as {seat, bid} in order; `announcement` as {seat, bid, state: "open"|"made"|"failed"} or null
 * - `points` of this deal so far (null for who sits out), `totals` before this deal, `running` with this deal
 * - `revokes` of this deal as {trick, seat}; `faults`, lists of fault records so far; `vacated`, true or false
 * - `clocks`, of each seat {chargedMs, bankMs, over}: what its latest decision was charged (null before the first, and
 *   where the referee played for it), what is left of its bank, whether that decision drew on it; or null
 * - `ended`: why the deal is over, or null; `ranks`: at the end of the match, else null
 */
export function moment(match, position) {
  const { record, steps, starts, sums } = match;
  const at = clamp(match, position);
  const step = steps[at];
  const deal = record.deals[step.deal];
  const totals = sums[step.deal];
  const play = new Play(record.rules, deal, totals);
  for (const each of steps.slice(starts[step.deal] + 1, at + 1)) {
    if (each.kind === "bid") play.bid(each.action);
    else if (each.kind === "card") play.card(each.action);
    else if (each.kind === "trick") play.take();
  }
  const over = step.kind === "points" || step.kind === "end";
  const points = play.points();
  const running = totals.map((sum, seat) => sum + (deal.playoff ? 0 : points[seat]));
  return {
    position: at, last: steps.length - 1, step,
    deal: step.deal + 1, deals: record.ended === null ? null : record.deals.length, playoff: deal.playoff, dealer: deal.dealer, seats: deal.seats,
    trick: step.trick || (over ? deal.tricks.length : Number(!play.bidding)), tricks: deal.points ? deal.tricks.length : Math.max(...deal.hands.map((hand) => hand.length)),
    turn: play.turn, legal: play.legal,
    hands: play.hands.map((hand) => sorted(hand, record.rules)),
    table: play.trick, winning: play.trick.length ? play.winning : null,
    lastTrick: play.tricks.at(-1) ?? null,
    winner: step.kind === "trick" ? play.tricks.at(-1).winner : null,
    taken: takenBy(play),
    bids: play.bids, announcement: play.announcement,
    points, totals, running: over ? sums[step.deal + 1] : running,
    revokes: play.revokes, ...faultsSoFar(match, at), clocks: clocksAt(match, at),
    ended: play.ended, ranks: step.kind === "end" ? record.ranks : null,
  };
}

function takenBy(play) {
  const { card_points: cardPoints, first_trick: first, last_trick: last } = play.rules;
  const taken = play.totals.map(() => []);
  play.tricks.forEach(({ cards, winner }, index) => {
    const isLast = play.ended === "played" && index === play.tricks.length - 1;
    const costs = [
      ...cards.map((card) => ({ for: card, points: cardPoints[card] ?? 0 })),
      { for: "first", points: index === 0 ? first : 0 },
      { for: "last", points: isLast ? last : 0 },
      { for: "all three", points: isLast ? play.bonus : 0 },
    ].filter(({ points }) => points);
    taken[winner].push({ trick: index + 1, cards, costs });
  });
  return taken;
}

function faultsSoFar({ record, steps }, at) {
  const faults = record.totals.map(() => []);
  const vacated = record.totals.map(() => false);
  for (const fault of record.faults) if (fault.deal === 0) faults[fault.seat].push(fault);
  for (const each of record.vacated) if (each.deal === 0) vacated[each.seat] = true;
  for (const { seat, fault, vacates } of steps.slice(0, at + 1)) {
    if (fault) faults[seat].push(fault);
    if (vacates) vacated[seat] = true;
  }
  return { faults, vacated };
}

// Of each decision, bids and cards in order: {chargedMs, bankMs}.
const timesOf = (clock) => clock?.deals.flatMap(({ charged_ms: charged, bank_ms: banks }) =>
  charged.map((chargedMs, index) => ({ chargedMs, bankMs: banks[index] })));

function clocksAt({ record, steps, clock, times }, at) {
  if (!clock) return null;
  const clocks = record.totals.map(() => ({ chargedMs: null, bankMs: clock.bank_ms, over: false }));
  const decisions = steps.slice(0, at + 1).filter(({ seat }) => seat !== null);
  decisions.forEach(({ seat }, index) => { clocks[seat] = { ...times[index], over: times[index].chargedMs > clock.move_ms }; });
  return clocks;
}

const clamp = ({ steps }, position) => Math.max(0, Math.min(steps.length - 1, Math.trunc(position) || 0));

/** The deals as a sheet of scores: {deal, playoff, bid, points, totals}, by seat; null for who sat out. */
export function scoreSheet({ record, sums }) {
  return record.deals.map(({ number, playoff, bids, seats, points }, index) => ({
    deal: number,
    playoff,
    bid: bids.find(([, bid]) => bid !== "pass") ?? null,
    points: sums[0].map((_, seat) => points[seats.indexOf(seat)] ?? null),
    totals: sums[index + 1],
  }));
}

// -- going about ------------------------------------------------------------------------------------------

/** The position where a deal (from 1) begins, or a trick of it: before its first card. */
export function positionOf({ steps, starts }, deal, trick = 0) {
  const index = Math.max(0, Math.min(starts.length - 1, deal - 1));
  if (!trick) return starts[index];
  const card = steps.findIndex((step) => step.deal === index && step.kind === "card" && step.trick === trick);
  return card < 0 ? starts[index] : card - 1;
}

/** The nearest position beyond this one, in direction 1 or -1, that a trick or a deal's end has come to. */
export function nextTrick({ steps }, position, direction) {
  const rests = ({ kind }) => kind !== "card" && kind !== "bid";
  let at = position + direction;
  while (at > 0 && at < steps.length - 1 && !rests(steps[at])) at += direction;
  return clamp({ steps }, at);
}

/** The beginning of the next deal, or of this one, or of the one before where this one begins here. */
export function nextDeal({ steps, starts }, position, direction) {
  if (direction > 0) return starts.find((start) => start > position) ?? steps.length - 1;
  return starts.findLast((start) => start < position) ?? 0;
}

/** A moment's name in links: deal, trick, place; "2.0.1" is a bid, "2.3" a trick taken, "2" a deal dealt. */
export function nameOf({ steps }, position) {
  const { kind, deal, trick, place } = steps[position];
  if (kind === "end") return "end";
  if (kind === "points") return `${deal + 1}.points`;
  if (kind === "deal") return `${deal + 1}`;
  return kind === "trick" ? `${deal + 1}.${trick}` : `${deal + 1}.${trick}.${place}`;
}

/** The position of a name, or null where the match has no such moment. */
export function positionNamed(match, name) {
  const found = match.steps.findIndex((_, position) => nameOf(match, position) === name);
  return found < 0 ? null : found;
}
