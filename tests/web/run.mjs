// Reads a JSON value a line, gives what the named work makes of each, a line each.
import { createInterface } from "node:readline";
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto; // Node 18 has it, but not by this name.

const { [process.argv[2]]: work } = await import("./work.mjs");
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await work(JSON.parse(line)))}\n`);
}
