// Several files or a folder, chosen or dropped, become one zip in the form's own field: the form is sent as
// it would be without this.
import { tidy, zip } from "./zip.js";

const form = document.getElementById("submit");
if (form) begin();

function begin() {
  const input = document.getElementById("field-file");
  const folder = document.getElementById("folder");
  const drop = document.getElementById("drop");
  for (const each of form.querySelectorAll("[data-script]")) each.hidden = false;
  input.multiple = true;
  const bot = document.getElementById("field-bot");
  const name = document.getElementById("field-name");
  const ask = () => {
    const isNew = !bot || bot.value === "new";
    name.closest(".field").hidden = !isNew;
    name.required = isNew;
  };
  bot?.addEventListener("change", ask);
  ask();
  input.addEventListener("change", () => take(input, [...input.files].map(named)));
  folder.addEventListener("change", () => take(input, [...folder.files].map(named)));
  for (const type of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(type, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", type === "dragover");
    });
  }
  drop.addEventListener("drop", async (event) => {
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    take(input, (await Promise.all(entries.map((entry) => within(entry)))).flat());
  });
  form.addEventListener("submit", () => say("It is being sent."));
}

const named = (file) => ({ path: file.webkitRelativePath || file.name, file });

// All files of what was dropped.
async function within(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [{ path: entry.fullPath.slice(1), file }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(within))).flat();
}

async function take(input, chosen) {
  const files = chosen.length > 1 || chosen[0]?.path.includes("/") ? tidy(chosen) : chosen;
  if (!files.length) return say("There is no file in it.");
  const one = files.length === 1 && !files[0].path.includes("/") ? files[0].file : await packed(files);
  const holder = new DataTransfer();
  holder.items.add(one);
  input.files = holder.files;
  const kib = Math.ceil(one.size / 1024);
  const most = Number(form.dataset.most);
  const names = files.slice(0, 8).map(({ path }) => path).join(", ");
  const more = files.length > 8 ? ` and ${files.length - 8} more` : "";
  say(`${names}${more}: ${kib} KiB.${one.size > most ? ` That is too much; ${most / 1024} KiB may be sent.` : ""}`);
}

async function packed(files) {
  const read = await Promise.all(
    files.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  return new File([zip(read)], "bot.zip", { type: "application/zip" });
}

function say(text) {
  document.getElementById("chosen").textContent = text;
}
