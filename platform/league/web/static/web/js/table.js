// The table as people know it: draws a moment (record.js) into an element. Seats go counter-clockwise, the
// reader's own at the bottom. Nothing moves by itself here; replay.js has the controls.

import { drawing, element } from "./dom.js";
import { REVOKE_POINTS } from "./play.js";
import { bidName, cardName, cardSign, count, dealName, duration } from "./words.js";

const suitClass = (card) => `suit-${card[1].toLowerCase()}`;

/**
 * A card's face.
 *
 * @param {string} sprite the address of cards.svg
 * @param {?string} card null for a back
 * @param {number} points what the card costs: as many discs lie over its face
 */
export function cardFace(sprite, card, points = 0) {
  if (card === null) {
    return drawing("svg", { class: "card", "aria-hidden": "true" }, drawing("use", { href: `${sprite}#back` }));
  }
  const name = cardName(card) + (points ? `, ${count(points, "point")}` : "");
  return drawing("svg", { class: `card ${suitClass(card)}`, role: "img", "aria-label": name },
    drawing("title", {}, name),
    drawing("use", { href: `${sprite}#${card}` }),
    points ? drawing("use", { href: `${sprite}#mark-${Math.min(points, 5)}` }) : null);
}

/**
 * An empty table in `root`, ready for moments.
 *
 * @param {HTMLElement} root emptied first
 * @param {object} options `rules` as in a record; `names` of the seats; `sprite`, the address of cards.svg;
 *   `bankMs`, what a seat's clock has in its bank, where moments have `clocks`;
 *   `onCard(card)`: where the seat at the bottom is in turn, its legal cards are buttons that call it
 * @returns {(moment: object, looks: {bottom: number, open: boolean}) => void} draws a moment; where the hands
 *   are not open, only the seat at the bottom shows its cards
 */
export function makeTable(root, { rules, names, sprite, bankMs = null, onCard = null }) {
  const players = names.length;
  const seats = names.map((name, seat) => makeSeat(name, seat, bankMs));
  const trick = element("ol", { class: "trick", "aria-label": "Trick on the table" });
  const where = element("p", { class: "where" });
  const middle = element("div", { class: "middle" }, trick, where);
  root.replaceChildren(element("div", { class: "felt", "data-players": players }, ...seats.map(({ box }) => box), middle));
  const face = (card) => cardFace(sprite, card, rules.card_points[card] ?? 0);

  return (now, { bottom = 0, open = true } = {}) => {
    const spotOf = (seat) => (seat - bottom + players) % players;
    seats.forEach((parts, seat) => {
      parts.box.dataset.spot = spotOf(seat);
      const choose = onCard && seat === bottom && now.turn === seat ? onCard : null;
      drawSeat(parts, seat, now, { face, shown: open || seat === bottom, choose, sprite });
    });
    drawTrick(trick, now, spotOf, face);
    where.textContent = placeOf(now);
  };
}

function makeSeat(name, seat, bankMs) {
  const parts = {
    dealer: element("abbr", { class: "tag dealer", title: "dealer" }, "D"),
    tags: element("span", { class: "tags" }),
    hand: element("ol", { class: "hand", "aria-label": `Hand of ${name}` }),
    score: element("p", { class: "score" }),
    captured: element("p", { class: "captured" }),
    clock: bankMs === null ? null : makeClock(bankMs),
  };
  const who = element("p", { class: "who", title: name }, element("span", { class: "name" }, name));
  const box = element("section", { class: "seat", "aria-label": `Seat ${seat}, ${name}` },
    element("header", {}, who, parts.dealer, parts.tags), parts.hand, element("div", { class: "account" }, parts.score, parts.captured), parts.clock?.line ?? null);
  return { ...parts, box };
}

// What its latest decision took, and what is left of its bank, as a bar that is full at first.
function makeClock(bankMs) {
  const took = element("span", { class: "took" });
  const bar = drawing("rect", { height: 4, rx: 2 });
  const left = element("span");
  const line = element("p", { class: "clock" }, took,
    drawing("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" }, bar),
    element("span", { class: "left" }, element("span", { class: "word" }, "bank "), left));
  const draw = (clock) => {
    took.textContent = clock.chargedMs === null ? "–" : duration(clock.chargedMs);
    left.textContent = duration(clock.bankMs);
    bar.setAttribute("width", 100 * clock.bankMs / (bankMs || 1));
    line.classList.toggle("over", clock.over);
    line.setAttribute("title", `Clock: ${took.textContent} for its latest decision, ${left.textContent} left in its bank`);
  };
  return { line, draw };
}

function drawSeat({ box, dealer, tags, hand, score, captured, clock }, seat, now, { face, shown, choose, sprite }) {
  box.classList.toggle("turn", now.turn === seat);
  box.classList.toggle("out", !now.seats.includes(seat));
  dealer.hidden = now.dealer !== seat;
  tags.replaceChildren(...tagsOf(seat, now).map(([text, tone, title]) => element("span", { class: `tag ${tone}`, title }, text)));
  hand.replaceChildren(...now.hands[seat].map((card) => element("li", {}, handCard(card, now, { face, shown, choose, sprite }))));
  hand.classList.toggle("closed", !shown);
  if (!shown) hand.append(element("li", { class: "hidden-text" }, count(now.hands[seat].length, "hidden card")));
  score.replaceChildren(...scoreOf(seat, now));
  captured.replaceChildren(...capturedBy(seat, now));
  clock?.draw(now.clocks[seat]);
}

function handCard(card, now, { face, shown, choose, sprite }) {
  if (!shown) return cardFace(sprite, null);
  if (!choose || !now.legal.includes(card)) return face(card);
  const button = element("button", { type: "button", class: "legal", "aria-label": `Play the ${cardName(card)}` }, face(card));
  button.addEventListener("click", () => choose(card));
  return button;
}

// What is to be known of a seat besides its cards: text, tone, and more about it.
function tagsOf(seat, now) {
  const tags = [];
  const said = now.announcement?.seat === seat ? now.announcement : null;
  const bid = now.bids.find((each) => each.seat === seat)?.bid;
  const faults = now.faults[seat];
  if (now.ranks) tags.push([`place ${now.ranks[seat]}`, now.ranks[seat] === 1 ? "good" : "", null]);
  if (said) tags.push([`${bidName(said.bid)}${said.state === "open" ? "" : ` ${said.state}`}`, "bid", null]);
  else if (bid === "pass" && now.trick === 0) tags.push(["pass", "", null]);
  if (now.turn === seat) tags.push([now.trick === 0 ? "to bid" : "to play", "turn", null]);
  if (now.vacated[seat]) tags.push(["vacated", "bad", "The referee plays for this seat, after its faults"]);
  if (faults.length) tags.push([count(faults.length, "fault"), "bad", faults.map(faultLine).join("\n")]);
  return tags;
}

function faultLine({ deal, trick, kind, detail }) {
  const where = deal === 0 ? "before the first deal" : `deal ${deal}, ${trick === 0 ? "bidding" : `trick ${trick}`}`;
  return `${where}: ${kind}${detail ? `, ${detail}` : ""}`;
}

function scoreOf(seat, now) {
  const points = now.points[seat];
  const tricks = now.taken[seat].length;
  const parts = [element("b", {}, String(now.running[seat]).replace("-", "−")), element("span", { class: "unit" }, now.running[seat] === 1 ? " point" : " points")];
  if (points !== null) parts.push(element("span", { class: "deal" }, `${signed(points)} this deal`));
  parts.push(element("span", {}, count(tricks, "trick")));
  return parts;
}

const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

const COSTS = { first: "the first trick", last: "the last trick", "all three": "first trick, last trick and queen of clubs" };

// What a seat has taken that costs points, and what it has done that does.
function capturedBy(seat, now) {
  const costs = now.taken[seat].flatMap((trick) => trick.costs);
  const revokes = now.revokes.filter((revoke) => revoke.seat === seat);
  return [
    ...costs.map((cost) => (cost.for in COSTS ? chip(cost.for, cost.points, "", COSTS[cost.for])
      : chip(cardSign(cost.for), cost.points, suitClass(cost.for), cardName(cost.for)))),
    ...revokes.map(({ trick }) => chip("revoke", REVOKE_POINTS, "", `a revoke in trick ${trick}`)),
  ];
}

function chip(text, points, kind, name) {
  const label = `${name}: ${count(points, "point")}`;
  return element("span", { class: `chip ${kind}`, role: "img", "aria-label": label, title: label },
    text, element("span", { class: "dots" }, points <= 3 ? "●".repeat(points) : `×${points}`));
}

// A trick that has been taken lies there until the next card is led.
function drawTrick(list, now, spotOf, face) {
  const taken = !now.table.length && now.lastTrick && now.step.kind !== "deal";
  const cards = taken ? now.lastTrick.table : now.table;
  const best = taken ? now.lastTrick.winner : now.winning;
  const newest = now.step.kind === "card" ? cards.length - 1 : -1;
  list.classList.toggle("taken", Boolean(taken));
  list.replaceChildren(...cards.map(({ seat, card }, index) => element("li", {
    "data-spot": spotOf(seat),
    class: [seat === best ? "best" : "", index === newest ? "new" : ""].join(" ").trim() || null,
  }, face(card))));
}

function placeOf(now) {
  const deal = `${dealName(now)}${now.playoff ? " (play-off)" : ""}`;
  return now.trick === 0 ? `${deal} · bidding` : `${deal} · trick ${now.trick} of ${now.tricks}`;
}
