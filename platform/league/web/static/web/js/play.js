// One deal as it is played (docs/rules.md § 4 to 7): what a replay needs of the engine, so that every moment
// has its running points. The server's engine decides; this one only shows, and is tested against it.

const RANK_ORDER = { below_jack: "KQJAT987", high: "AKQJT987" };
const BID_POINTS = 5;
export const REVOKE_POINTS = 5;

const suitOf = (card) => card[1];

/** Cards as they are held in a hand: suit by suit (black and red in turn), the high ones first. Hidden ones stay. */
export function sorted(cards, rules) {
  if (cards.includes(null)) return cards;
  const order = RANK_ORDER[rules.ace];
  const key = (card) => 8 * "SHCD".indexOf(suitOf(card)) + order.indexOf(card[0]);
  return [...cards].sort((one, other) => key(one) - key(other));
}

export class Play {
  /**
   * @param {object} rules as in a record
   * @param {object} deal `seats`, from the eldest hand on; `hands`, parallel to them, a null for each card of a
   *   hidden one; `playoff`
   * @param {number[]} totals by seat, before this deal
   *
   * What changes: `hands` by seat; `trick`, the cards on the table as {seat, card}; `tricks`, those taken as
   * {leader, cards, winner, table}; `bids` as {seat, bid}; `revokes` as {trick, seat}; `ended`: null, "played",
   * "quick_end" or "forfeit"; `bonus`, what the winner of the last trick got for all three.
   */
  constructor(rules, deal, totals) {
    this.rules = rules;
    this.seats = deal.seats;
    this.totals = totals;
    this.hands = totals.map(() => []);
    deal.seats.forEach((seat, place) => { this.hands[seat] = [...deal.hands[place]]; });
    this.bids = [];
    this.tricks = [];
    this.revokes = [];
    this.ended = null;
    this.bonus = 0;
    this.canEndQuickly = rules.quick_end && rules.threshold !== null && !deal.playoff;
    this.captured = totals.map(() => 0);
    this.bidFailed = false;
    this.#startTrick(this.seats[0]);
  }

  /** The announcement, as {seat, bid, state: "open"|"made"|"failed"}; null while there is none. */
  get announcement() {
    const said = this.bids.find(({ bid }) => bid !== "pass");
    if (!said) return null;
    const made = this.ended === "played" ? "made" : "open";
    return { ...said, state: this.bidFailed ? "failed" : made };
  }

  get bidding() {
    return this.rules.bids.length > 0 && !this.announcement && this.bids.length < this.seats.length;
  }

  /** The seat that is to bid or play; null when a trick is to be taken, and after the end. */
  get turn() {
    if (this.ended) return null;
    return (this.bidding ? this.seats[this.bids.length] : this.order[this.trick.length]) ?? null;
  }

  /** The cards that the seat in turn may play; none in the bidding, nor of a hidden hand. */
  get legal() {
    if (this.bidding || this.turn === null) return [];
    const hand = this.hands[this.turn];
    if (hand.includes(null)) return [];
    const following = this.trick.length ? hand.filter((card) => suitOf(card) === suitOf(this.trick[0].card)) : [];
    return following.length ? following : hand;
  }

  bid(bid) {
    this.bids.push({ seat: this.turn, bid });
  }

  /** The seat in turn plays a card. */
  card(card) {
    const seat = this.turn;
    const hidden = this.hands[seat].includes(null);
    const revoked = !hidden && !this.legal.includes(card);
    this.hands[seat] = hidden ? this.hands[seat].slice(1) : this.hands[seat].filter((held) => held !== card);
    this.trick.push({ seat, card });
    if (!revoked) return;
    if (this.rules.revoke === "forfeit") this.ended = "forfeit";
    else this.revokes.push({ trick: this.tricks.length + 1, seat });
  }

  /** The seat whose card is the highest of the suit led, so far. */
  get winning() {
    const order = RANK_ORDER[this.rules.ace];
    const suit = suitOf(this.trick[0].card);
    const following = this.trick.filter(({ card }) => suitOf(card) === suit);
    return following.reduce((a, b) => (order.indexOf(b.card[0]) < order.indexOf(a.card[0]) ? b : a)).seat;
  }

  /** The trick on the table goes to its winner. */
  take() {
    const winner = this.winning;
    const cards = this.trick.map(({ card }) => card);
    this.captured[winner] += cards.reduce((sum, card) => sum + (this.rules.card_points[card] ?? 0), 0);
    if (!this.tricks.length) this.captured[winner] += this.rules.first_trick;
    this.tricks.push({ leader: this.trick[0].seat, cards, winner, table: this.trick });
    const announcer = this.announcement?.seat;
    if (announcer !== undefined && announcer !== winner && this.order.includes(announcer)) this.bidFailed = true;
    if (this.hands.every((hand) => !hand.length)) {
      this.bonus = this.#bonus(winner);
      this.captured[winner] += this.rules.last_trick + this.bonus;
      this.ended = "played";
      this.trick = [];
    } else {
      this.#startTrick(winner);
      if (this.#quickEnd()) this.ended = "quick_end";
    }
  }

  /** Points by seat: of the whole deal, or of what was captured so far; null where a seat does not play. */
  points() {
    const points = this.captured.map((sum, seat) => (this.seats.includes(seat) ? sum : null));
    if (this.ended === "forfeit") return points.map((sum) => sum && 0);
    const said = this.announcement;
    if (said?.state === "failed") {
      points[said.seat] = BID_POINTS + (this.rules.failed_bid === "add" ? points[said.seat] : 0);
    } else if (said && this.ended) {
      for (const seat of this.seats) points[seat] = BID_POINTS;
      points[said.seat] = said.bid === "general" ? -BID_POINTS : 0;
    }
    if (this.ended === "played") for (const { seat } of this.revokes) points[seat] += REVOKE_POINTS;
    return points;
  }

  // Who has no card left takes no part (the last trick of an uneven deal).
  #startTrick(leader) {
    const first = this.seats.indexOf(leader);
    const turns = [...this.seats.slice(first), ...this.seats.slice(0, first)];
    this.order = turns.filter((seat) => this.hands[seat].length);
    this.trick = [];
  }

  #bonus(winner) {
    const queen = this.tricks.find(({ cards }) => cards.includes("QC"));
    const allThree = this.tricks[0].winner === winner && queen?.winner === winner;
    return allThree ? this.rules.all_three_bonus : 0;
  }

  #quickEnd() {
    if (!this.canEndQuickly || this.announcement?.state === "open") return false;
    return this.points().some((sum, seat) => sum !== null && this.totals[seat] + sum === this.rules.threshold);
  }
}
