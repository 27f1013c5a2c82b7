// What the tests ask of the pages' modules: each takes a case and gives something to compare.
import {
  below, bytesOf, checkShuffles, commitment, dealHands, hexOf, wordsOf,
} from "../../platform/league/web/static/web/js/deal.js";
import {
  moment, nameOf, nextDeal, nextTrick, positionNamed, positionOf, readMatch, scoreSheet,
} from "../../platform/league/web/static/web/js/record.js";
import { shake256 } from "../../platform/league/web/static/web/js/shake256.js";
import { tidy, zip } from "../../platform/league/web/static/web/js/zip.js";
import { describe } from "../../platform/league/web/static/web/js/words.js";

// Without the marks that keep each name apart.
const plain = (text) => text.replace(/[\u2068\u2069]/g, "");

export const shake = ({ message, length }) => hexOf(shake256(bytesOf(message), length));

export const deal = async ({ seed, number, attempt, players, deal: kind }) => ({
  commitment: await commitment(bytesOf(seed)),
  hands: dealHands(bytesOf(seed), number, attempt, players, kind),
});

export function words({ message, count }) {
  const stream = wordsOf(bytesOf(message));
  return Array.from({ length: count }, () => stream.next().value);
}

export const draws = ({ words: given, m }) => {
  const stream = given.values();
  return [below(stream, m), ...stream];
};

export const check = ({ record, published }) => checkShuffles(record, published ?? undefined);

export async function checkWithoutWebCrypto(record) {
  const own = globalThis.crypto;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true, writable: true });
  try {
    return await checkShuffles(record);
  } finally {
    globalThis.crypto = own;
  }
}

// Every moment of a record, in the order of the positions.
export function moments(record) {
  const match = readMatch(record);
  return match.steps.map((step, position) => {
    const now = moment(match, position);
    return {
      kind: step.kind, deal: now.deal, trick: now.trick, turn: now.turn, legal: [...now.legal].sort(),
      table: now.table.map(({ card }) => card), hands: now.hands.map((hand) => [...hand].sort()),
      points: now.points, running: now.running, ranks: now.ranks,
    };
  });
}

export function faultsSeen(record) {
  const match = readMatch(record);
  const seen = match.steps.flatMap(({ fault, vacates, seat }) => (fault ? [{ fault, seat, vacates }] : []));
  const [first, last] = [moment(match, 0), moment(match, match.steps.length)];
  return { seen, first: first.faults, faults: last.faults, vacated: last.vacated };
}

export const agrees = (record) => readMatch(record).agrees;

// What is the same however a moment is come to, and where the ways about lead.
export function ways(record) {
  const match = readMatch(record);
  const whole = JSON.stringify(match);
  const positions = [...match.steps.keys()];
  const looks = positions.map((position) => JSON.stringify(moment(match, position)));
  const again = positions.toReversed?.() ?? [...positions].reverse();
  const places = (next) => positions.map((position) => next(match, position));
  return {
    pure: again.every((position) => JSON.stringify(moment(match, position)) === looks[position]) && JSON.stringify(match) === whole,
    beyond: [moment(match, -5).position, moment(match, 1e9).position, moment(match, NaN).position],
    kinds: match.steps.map(({ kind }) => kind),
    deals: match.record.deals.map((deal) => positionOf(match, deal.number)),
    tricks: match.record.deals.flatMap((deal) => deal.tricks.map((_, t) => positionOf(match, deal.number, t + 1))),
    trickOn: places((m, p) => nextTrick(m, p, 1)), trickBack: places((m, p) => nextTrick(m, p, -1)),
    dealOn: places((m, p) => nextDeal(m, p, 1)), dealBack: places((m, p) => nextDeal(m, p, -1)),
    names: places(nameOf),
    named: places((m, p) => positionNamed(m, nameOf(m, p))),
    nowhere: ["", "0", "1.99", "x", "1.0.9", "end2"].map((name) => positionNamed(match, name)),
  };
}

export function refused(record) {
  try {
    readMatch(record);
    return null;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
export function clocks(record) {
  const match = readMatch(record, record.clock);
  return match.steps.map((_, position) => moment(match, position).clocks);
}

export function told(record) {
  const match = readMatch(record);
  const names = record.bots.map((_, seat) => "ABCDEF"[seat]);
  return match.steps.map((_, position) => plain(describe(match, moment(match, position), names)));
}

export const sheet = (record) => scoreSheet(readMatch(record));

export function packed(files) {
  const read = files.map(({ path, content }) => ({ path, bytes: bytesOf(content) }));
  return hexOf(zip(tidy(read)));
}

// What is seen after so many decisions of a match, by somebody who sees the hand of one seat.
export function glimpses(cases) {
  return cases.map((course) => {
    const match = readMatch(course);
    const now = moment(match, match.steps.length - 1);
    return {
      turn: now.turn, legal: [...now.legal].sort(), table: now.table.map(({ card }) => card), taken: now.taken,
      sizes: now.hands.map((hand) => hand.length), hands: now.hands.map((hand) => [...hand].sort()), running: now.running,
      lastTrick: now.lastTrick, deals: now.deals, ranks: now.ranks, words: plain(describe(match, now, course.totals.map((_, seat) => "ABCDEF"[seat]))),
    };
  });
}
