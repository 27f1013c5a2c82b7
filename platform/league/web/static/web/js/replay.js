// A match that plays itself: the table, and the controls to go about in it.

import { drawing, element } from "./dom.js";
import { moment, nameOf, nextDeal, nextTrick, positionNamed, positionOf, readMatch } from "./record.js";
import { makeTable } from "./table.js";
import { describe } from "./words.js";

const REST_MS = 250;
const SPEEDS = [["slow", 2000], ["normal", 1000], ["fast", 350]];

// Each: what it is called, its key, its picture, and where it leads from a position.
const WAYS = [
  { name: "Deal back", key: "PageUp", icon: "M4 4v16M20 4l-7 8 7 8zM12 4l-7 8 7 8z", to: (match, at) => nextDeal(match, at, -1) },
  { name: "Trick back", key: "ArrowUp", icon: "M20 4l-7 8 7 8zM12 4l-7 8 7 8z", to: (match, at) => nextTrick(match, at, -1) },
  { name: "Back", key: "ArrowLeft", icon: "M16 4l-8 8 8 8z", to: (match, at) => at - 1 },
  { name: "Forward", key: "ArrowRight", icon: "M8 4l8 8-8 8z", to: (match, at) => at + 1 },
  { name: "Trick forward", key: "ArrowDown", icon: "M4 4l7 8-7 8zM12 4l7 8-7 8z", to: (match, at) => nextTrick(match, at, 1) },
  { name: "Deal forward", key: "PageDown", icon: "M20 4v16M4 4l7 8-7 8zM12 4l7 8-7 8z", to: (match, at) => nextDeal(match, at, 1) },
];
const ENDS = { Home: () => 0, End: (match) => match.steps.length - 1 };
const KEYS = { ...ENDS, ...Object.fromEntries(WAYS.map(({ key, to }) => [key, to])) };
const PLAY_ICON = "M6 4l14 8-14 8z";
const PAUSE_ICON = "M7 4v16M17 4v16";

/**
 * Show a match in `root`.
 *
 * @param {HTMLElement} root emptied first; has the class `table` afterwards
 * @param {object} record a parsed match record
 * @param {object} options `sprite`, the address of cards.svg; `names` of the seats (the record's labels else);
 *   `own`, the seat at the bottom (0); `clock` as in readMatch; `link` false where the address of the page is
 *   not to follow the moment (two tables on a page); `onMoment(moment)`, called after each is drawn
 * @returns {{match: object, go: (position: number) => void, play: () => void, pause: () => void,
 *   position: () => number, close: () => void}}
 * @throws {TypeError} the record is none
 */
export function showReplay(root, record, options) {
  const { sprite, names = record?.bots, own = 0, clock = null, link = true, onMoment = () => {} } = options;
  const match = readMatch(record, clock);
  const last = match.steps.length - 1;
  const state = { at: 0, bottom: own, open: true, pace: SPEEDS[1][1], timer: null, following: null };
  const ends = new AbortController();

  const felt = element("div", {});
  const said = element("p", { class: "said", "aria-live": "polite" });
  const controls = makeControls(match, names);
  root.classList.add("table");
  root.setAttribute("tabindex", "0");
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", "Table");
  root.replaceChildren(felt, element("div", { class: "bar" }, said, controls.buttons), ...controls.rest);
  const draw = makeTable(felt, { rules: record.rules, names, sprite, bankMs: clock?.bank_ms ?? null });

  function show() {
    const now = moment(match, state.at);
    const words = describe(match, now, names);
    draw(now, state);
    said.textContent = words;
    controls.update(now, words, state);
    controls.here.setAttribute("href", addressOf(match, state));
    if (link) follow();
    onMoment(now);
  }

  // The address follows when the table rests: browsers stop a page that changes it too often.
  function follow() {
    clearTimeout(state.following);
    state.following = setTimeout(() => {
      const address = addressOf(match, state);
      const untouched = state.at === 0 && state.open && !location.hash;
      if (!untouched && location.hash !== address) history.replaceState(history.state, "", address);
    }, REST_MS);
  }

  function go(position) {
    state.at = Math.max(0, Math.min(last, position));
    if (state.at === last) stop();
    show();
  }

  function stop() {
    clearInterval(state.timer);
    state.timer = null;
  }

  function pause() {
    stop();
    show();
  }

  function play() {
    stop();
    if (state.at === last) state.at = 0;
    state.timer = setInterval(() => go(state.at + 1), state.pace);
    show();
  }

  const on = (target, type, act) => target.addEventListener(type, act, { signal: ends.signal });
  // Whoever starts it sees all of the table, if the window is high enough.
  const begin = () => { play(); root.querySelector(".felt").scrollIntoView({ block: "nearest" }); };
  const toggle = () => (state.timer === null ? begin() : pause());
  const wander = (position) => { stop(); go(position); };
  controls.ways.forEach((button, index) => on(button, "click", () => wander(WAYS[index].to(match, state.at))));
  on(controls.toggle, "click", toggle);
  on(controls.slider, "input", () => wander(controls.slider.valueAsNumber));
  on(controls.deal, "change", () => wander(positionOf(match, Number(controls.deal.value))));
  on(controls.trick, "change", () => wander(positionOf(match, match.steps[state.at].deal + 1, Number(controls.trick.value))));
  on(controls.pace, "change", () => {
    state.pace = Number(controls.pace.value);
    if (state.timer !== null) play();
  });
  on(controls.view, "change", () => {
    state.open = controls.view.value === "open";
    state.bottom = state.open ? own : Number(controls.view.value);
    show();
  });
  on(root, "keydown", (event) => {
    const to = chosen(event);
    if (!to) return;
    event.preventDefault();
    if (to === "toggle") toggle();
    else wander(to(match, state.at));
  });
  const arrive = () => {
    const asked = addressed(match);
    if (asked.view !== null && asked.view < names.length) Object.assign(state, { open: false, bottom: asked.view });
    if (asked.at !== null) state.at = asked.at;
  };
  if (link) {
    arrive();
    on(window, "hashchange", () => { stop(); arrive(); show(); });
  }
  show();
  const close = () => { stop(); clearTimeout(state.following); ends.abort(); root.replaceChildren(); };
  return { match, go: wander, play, pause, position: () => state.at, close };
}

// -- keys and addresses ---------------------------------------------------------------------------------------

// What a key asks for here; a control that has a use of its own for it keeps it.
function chosen(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  const { target, key } = event;
  if (target.matches("select, input, textarea, [contenteditable]")) return null;
  if (key === " ") return target.matches("button, a, summary") ? null : "toggle";
  return KEYS[key] ?? null;
}

// The address of the page names the moment: `#at=2.3.1`, `&view=0` from a seat's view.
function addressOf(match, { at, open, bottom }) {
  const parts = new URLSearchParams({ at: nameOf(match, at) });
  if (!open) parts.set("view", bottom);
  return `#${parts}`;
}

function addressed(match) {
  const parts = new URLSearchParams(location.hash.slice(1));
  const view = parts.get("view");
  return { at: positionNamed(match, parts.get("at") ?? ""), view: /^\d$/.test(view ?? "") ? Number(view) : null };
}

// -- controls -------------------------------------------------------------------------------------------------

function makeControls(match, names) {
  const ways = WAYS.map(({ name, key, icon }) => button(name, key, icon));
  const toggle = button("Play", "Space", PLAY_ICON, "first");
  const slider = element("input", { type: "range", min: 0, max: match.steps.length - 1, value: 0, "aria-label": "Moment of the match" });
  const deal = select("Deal", match.record.deals.map(({ number, playoff }) => [number, `${number}${playoff ? " (play-off)" : ""}`]));
  const trick = select("Trick", []);
  const pace = select("Speed", SPEEDS.map(([name, ms]) => [ms, name]));
  const view = select("Hands", [["open", "all open"], ...names.map((name, seat) => [seat, `as ${name} sees it`])]);
  const here = element("a", { class: "button quiet", href: "#" }, "Link to this moment");
  pace.control.value = SPEEDS[1][1];
  const buttons = element("div", { class: "buttons", role: "group", "aria-label": "Go about" },
    ...ways.slice(0, 3), toggle, ...ways.slice(3));
  const rest = [slider, element("div", { class: "row choices" }, deal.label, trick.label, pace.label, view.label, here)];

  function update(now, words, { timer, open, bottom }) {
    const playing = timer !== null;
    relabel(toggle, playing ? "Pause" : "Play", "Space", playing ? PAUSE_ICON : PLAY_ICON);
    slider.value = now.position;
    slider.setAttribute("aria-valuetext", words);
    deal.control.value = now.deal;
    if (trick.control.options.length !== now.tricks + 1) trick.control.replaceChildren(...numbered(now.tricks));
    trick.control.value = now.trick;
    view.control.value = open ? "open" : bottom;
    ways.slice(0, 3).forEach((each) => each.setAttribute("aria-disabled", now.position === 0));
    ways.slice(3).forEach((each) => each.setAttribute("aria-disabled", now.position === now.last));
  }

  return { buttons, rest, ways, toggle, slider, here, update, deal: deal.control, trick: trick.control, pace: pace.control, view: view.control };
}

const numbered = (tricks) => [
  element("option", { value: 0 }, "–"),
  ...Array.from({ length: tricks }, (_, index) => element("option", { value: index + 1 }, String(index + 1))),
];

function button(name, key, icon, more = "") {
  const made = element("button", { type: "button", class: `button icon ${more}`.trim() });
  relabel(made, name, key, icon);
  return made;
}

function relabel(made, name, key, icon) {
  if (made.getAttribute("aria-label") === name) return;
  made.setAttribute("aria-label", name);
  made.setAttribute("title", `${name} (${key})`);
  made.replaceChildren(drawing("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: icon })));
}

function select(name, options) {
  const control = element("select", { "aria-label": name }, ...options.map(([value, text]) => element("option", { value }, text)));
  return { control, label: element("label", {}, `${name} `, control) };
}
