// The committed shuffle (docs/rules.md § 3), so that a reader's own browser checks it: from a match's seed
// to its commitment and to the hands of each deal.

import { shake256 } from "./shake256.js";

export const SUITS = "SHDC";
export const RANKS = "KQJAT987";

const FULL_PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const SHORT_PACK = FULL_PACK.filter((card) => card !== "7S" && card !== "7C");

const EVEN_PACKETS = { 2: [3, 2, 3, 3, 2, 3], 3: [3, 2, 3, 2], 4: [3, 2, 3], 5: [3, 3], 6: [3, 2] };
const UNEVEN_PACKETS = { ...EVEN_PACKETS, 5: [3, 3, 1], 6: [3, 2, 1] };

/** The bytes of a hex text. Throws a RangeError for anything else. */
export function bytesOf(hex) {
  if (typeof hex !== "string" || !/^([0-9a-f]{2})*$/.test(hex)) throw new RangeError("no hex text");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** The hex text of some bytes. */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What is published when a match is created: SHA-256 of the seed, in hex.
 *
 * Rejects with an Error where the browser has no WebCrypto: it has it on https and on localhost only.
 */
export async function commitment(seed) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new Error("this browser computes SHA-256 on secure pages (https) only");
  return hexOf(new Uint8Array(await subtle.digest("SHA-256", seed)));
}

/** The pack in order for so many players; two play only in play-offs. `kind` is "even" or "uneven". */
export function packFor(players, kind) {
  const whole = players === 2 || players === 4 || (players >= 5 && kind === "uneven");
  return whole ? FULL_PACK : SHORT_PACK;
}

/** The stream of the rule: SHAKE-256's output as big-endian words of 32 bits, as many as are taken. */
export function* wordsOf(message) {
  // 32 words are almost always enough; the output of more begins with the same ones.
  for (let from = 0, to = 32; ; from = to, to *= 2) {
    const words = new DataView(shake256(message, 4 * to).buffer);
    for (let i = from; i < to; i++) yield words.getUint32(4 * i);
  }
}

/** A number from 0 to m - 1: words that would favour the small ones are dropped. */
export function below(words, m) {
  const limit = 2 ** 32 - (2 ** 32 % m);
  for (;;) {
    const word = words.next().value;
    if (word < limit) return word % m;
  }
}

/** The pack of deal `number`, shuffled and cut (steps 1 to 4 of the rule). */
export function shuffledPack(seed, number, attempt, pack) {
  const name = new TextEncoder().encode(`polignac/1/deal/${number}/${attempt}`);
  const words = wordsOf(new Uint8Array([...seed, ...name]));
  const cards = [...pack];
  for (let i = cards.length - 1; i > 0; i--) {
    const j = below(words, i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  const cut = 1 + below(words, cards.length - 1);
  return [...cards.slice(cut), ...cards.slice(0, cut)];
}

/** The hands of a deal as lists of cards, from the eldest hand on, each in the order dealt (step 5). */
export function dealHands(seed, number, attempt, players, kind) {
  const pack = shuffledPack(seed, number, attempt, packFor(players, kind));
  const hands = Array.from({ length: players }, () => []);
  let next = 0;
  for (const packet of (kind === "uneven" ? UNEVEN_PACKETS : EVEN_PACKETS)[players]) {
    for (const hand of hands) {
      hand.push(...pack.slice(next, next + packet));
      next += packet;
    }
  }
  return hands;
}

/**
 * Check a record's shuffles: does the seed give the commitment, and every deal the hands that were played?
 *
 * @param {object} record a match record (docs/record.md)
 * @param {string} [published] the commitment that was published before the match, where it is known from
 *   elsewhere than the record; else the record's own is compared
 * @returns {Promise<{state: "sound"|"unsound"|"unknown", reason: string, seed: ?string, expected: ?string,
 *   found: ?string, deals: {number: number, sound: boolean}[]}>} `unknown` where nothing can be checked: a
 *   record of supplied boards, or a browser without WebCrypto whose deals all agree
 */
export async function checkShuffles(record, published = record.commitment) {
  const result = { state: "unknown", reason: "", seed: record.seed, expected: published, found: null, deals: [] };
  if (record.seed === null) return { ...result, reason: "The boards of this match were supplied: it has no seed." };
  let seed;
  try {
    seed = bytesOf(record.seed);
  } catch {
    return { ...result, state: "unsound", reason: "The seed is no hex text." };
  }
  if (seed.length !== 32) return { ...result, state: "unsound", reason: `The seed has ${seed.length} bytes, not 32.` };

  result.deals = record.deals.map((deal, index) => ({ number: deal.number, sound: agrees(seed, deal, index + 1, record) }));
  const wrong = result.deals.find((deal) => !deal.sound);
  if (wrong) return { ...result, state: "unsound", reason: `The seed gives other hands in deal ${wrong.number}.` };
  try {
    result.found = await commitment(seed);
  } catch (error) {
    return { ...result, reason: `The hands are the seed's; the commitment was not checked: ${error.message}.` };
  }
  if (result.found !== published) return { ...result, state: "unsound", reason: "The seed is not the one committed to." };
  return { ...result, state: "sound", reason: "The seed is the one committed to, and gives every hand that was dealt." };
}

// A choice of attempts would be a choice of cards: dealing from the shuffle never misdeals.
function agrees(seed, deal, number, record) {
  if (deal.number !== number || deal.attempt !== 0) return false;
  const players = deal.seats.length;
  if (players < 2 || players > 6) return false;
  const hands = dealHands(seed, number, 0, players, record.rules.deal);
  return JSON.stringify(hands) === JSON.stringify(deal.hands);
}
