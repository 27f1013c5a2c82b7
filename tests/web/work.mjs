// What the tests ask of the pages' modules: each takes a case and gives something to compare.
import {
  below, bytesOf, checkShuffles, commitment, dealHands, hexOf, wordsOf,
} from "../../platform/league/web/static/web/js/deal.js";
import { shake256 } from "../../platform/league/web/static/web/js/shake256.js";

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
