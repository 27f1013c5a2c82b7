// The end of a sitting: the match plays itself.

import { showReplay } from "./replay.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const root = document.getElementById("table");
showReplay(root, read("record"), { sprite: root.dataset.sprite, own: Number(root.dataset.seat), names: read("names") });
