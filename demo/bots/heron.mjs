// A bot in JavaScript, without any help: one JSON object a line in, one out (docs/protocol.md).
// It ducks: the highest card that does not take the trick; void, it throws the card it fears most.
import { createInterface } from "node:readline";

let order = "KQJA"; // ranks from the highest on; the rest follow as everywhere
const rank = (card) => (order + "T987").indexOf(card[0]);
const suit = (card) => card[1];
const fear = (card) => (card[0] === "J" ? (card === "JS" ? 100 : 50) : 8 - rank(card));
const by = (key) => (a, b) => key(a) - key(b);

function choose({ legal, trick }) {
  if (trick.length === 0) return [...legal].sort(by(fear))[0];
  const led = suit(trick[0]);
  if (suit(legal[0]) !== led) return [...legal].sort(by(fear)).at(-1);
  const best = Math.min(...trick.filter((card) => suit(card) === led).map(rank));
  const below = legal.filter((card) => rank(card) > best).sort(by(rank));
  return below.length > 0 ? below[0] : [...legal].sort(by(rank)).at(-1);
}

function answer(message) {
  switch (message.type) {
    case "hello":
      order = message.rules.ace === "high" ? "AKQJ" : "KQJA";
      return { ready: true };
    case "bid":
      return { bid: "pass" };
    case "play":
      return { card: choose(message) };
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "bye") process.exit(0);
  const reply = answer(message);
  if (reply) process.stdout.write(JSON.stringify({ id: message.id, ...reply }) + "\n");
});
