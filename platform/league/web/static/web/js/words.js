// What happens at the table, in words: for screen readers, for titles, and for the line under the cards.

const RANKS = { K: "king", Q: "queen", J: "jack", A: "ace", T: "ten", 9: "nine", 8: "eight", 7: "seven" };
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const BIDS = { capot: "Capot", general: "General" };

/** "jack of spades" */
export const cardName = (card) => `${RANKS[card[0]]} of ${SUITS[card[1]]}`;

/** "J♠", with 10 for the ten */
export const cardSign = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

/** "1 point", "−5 points" */
export function count(number, one, many = `${one}s`) {
  return `${String(number).replace("-", "−")} ${number === 1 ? one : many}`;
}

/** "Deal 2 of 5", or "Deal 2" where nobody knows how many there will be */
export const dealName = ({ deal, deals }) => `Deal ${deal}${deals === null ? "" : ` of ${deals}`}`;

/** "Capot" */
export const bidName = (bid) => BIDS[bid] ?? bid;

/** "0.42 ms", "42 ms", "1.3 s", "10 s" */
export function duration(ms) {
  const [unit, value, digits] = ms >= 999.5 ? ["s", ms / 1000, 1] : ["ms", ms, 2];
  return `${value.toFixed(value < 9.95 ? digits : 0).replace(/\.0+$/, "")} ${unit}`;
}

/** A name that is written from the right turns nothing round but itself. */
const apart = (name) => `\u2068${name}\u2069`;

/** What has just happened, in one or two sentences. `names` are the seats' names. */
export function describe(match, now, names) {
  return TELLERS[now.step.kind](match, now, names.map(apart));
}

const TELLERS = { deal: tellDeal, bid: tellBid, card: tellCard, trick: tellTrick, points: tellPoints, end: tellEnd };

function tellDeal(match, now, names) {
  const what = now.playoff ? `a play-off of ${listed(now.seats.map((seat) => names[seat]))}` : `${names[now.dealer]} deals`;
  return `${dealName(now)}: ${what}. ${names[now.seats[0]]} is the eldest hand.`;
}

function tellBid(match, { step }, names) {
  const said = step.action === "pass" ? "passes" : `announces ${bidName(step.action)}`;
  return `${tellFault(step, names)}${names[step.seat]} ${said}.`;
}

function tellCard({ record }, now, names) {
  const { step } = now;
  const points = record.rules.card_points[step.action];
  const worth = points ? ` (${count(points, "point")})` : "";
  const revoked = now.ended === "forfeit" || now.revokes.some(({ trick, seat }) => trick === step.trick && seat === step.seat);
  const wrong = revoked ? ", without following suit" : "";
  const does = step.place === 1 ? "leads" : "plays";
  const loses = now.ended === "forfeit" ? " That forfeits the match." : "";
  return `${tellFault(step, names)}${names[step.seat]} ${does} the ${cardName(step.action)}${worth}${wrong}.${loses}`;
}

function tellFault({ fault, seat, vacates }, names) {
  if (!fault) return "";
  const long = vacates ? " from here on" : "";
  const detail = fault.detail ? ` (${fault.detail})` : "";
  return `${names[seat]} fails: ${fault.kind}${detail}. The referee acts in its place${long}. `;
}

function tellTrick(match, now, names) {
  const points = now.taken[now.winner].at(-1).costs.reduce((sum, cost) => sum + cost.points, 0);
  const said = now.announcement;
  const failed = said?.state === "failed" && said.seat !== now.winner && failsNow(match, now);
  return `${names[now.winner]} takes trick ${now.step.trick}${points ? `: ${count(points, "point")}` : ""}.`
    + (failed ? ` ${names[said.seat]}'s ${bidName(said.bid)} has failed.` : "");
}

// The first trick that goes to somebody else fails a bid.
const failsNow = (match, now) => {
  const others = now.taken.flatMap((tricks, seat) => (seat === now.announcement.seat ? [] : tricks));
  return Math.min(...others.map(({ trick }) => trick)) === now.step.trick;
};

function tellPoints(match, now, names) {
  const made = now.announcement?.state === "made" ? ` ${names[now.announcement.seat]} has made ${bidName(now.announcement.bid)}.` : "";
  const how = { quick_end: " at once, a total being exactly the threshold", forfeit: " by forfeit" }[now.ended] ?? "";
  const points = now.seats.map((seat) => `${names[seat]} ${count(now.points[seat], "point")}`);
  return `Deal ${now.deal} is over${how}.${made} ${listed(points)}.`;
}

function tellEnd({ record }, now, names) {
  const seats = [...now.ranks.keys()].sort((one, other) => now.ranks[one] - now.ranks[other]);
  const places = seats.map((seat) => `${now.ranks[seat]}. ${names[seat]}, ${count(now.running[seat], "point")}${now.vacated[seat] ? ", vacated" : ""}`);
  const why = {
    threshold: `a total has reached ${record.rules.threshold}`, deals: "all deals are played",
    quick_end: "a total is exactly the threshold", forfeit: "somebody did not follow suit",
    max_deals: "the most deals there may be are played",
  }[record.ended];
  return `The match is over: ${why}. ${places.join("; ")}.`;
}

function listed(texts) {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}
