// Files packed into a zip, as they are: for an upload, which is small.

const encoder = new TextEncoder();
const table = Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

// CRC-32 as zip has it (ISO 3309).
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

const whole = (bytes) => (value) => Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff);
const two = whole(2);
const four = whole(4);

// [{ path, bytes }] → the zip's bytes. Stored, names in UTF-8, dated 1 January 1980.
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = encoder.encode(path);
    const about = [
      ...two(20), ...two(0x0800), ...two(0), ...two(0), ...two(0x21),
      ...four(crc32(bytes)), ...four(bytes.length), ...four(bytes.length), ...two(name.length), ...two(0),
    ];
    parts.push(Uint8Array.from([...four(0x04034b50), ...about]), name, bytes);
    directory.push(
      Uint8Array.from([...four(0x02014b50), ...two(20), ...about, ...two(0), ...two(0), ...two(0), ...four(0), ...four(offset)]),
      name,
    );
    offset += 30 + name.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = [...four(0x06054b50), ...two(0), ...two(0), ...two(files.length), ...two(files.length), ...four(size), ...four(offset), ...two(0)];
  return joined([...parts, ...directory, Uint8Array.from(end)]);
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// Paths as the bot sees them: without the folder that all lie in, and without what is hidden or a cache.
export function tidy(files) {
  const kept = files.filter(({ path }) => !path.split("/").some((part) => part.startsWith(".") || part === "__pycache__"));
  const tops = new Set(kept.map(({ path }) => (path.includes("/") ? path.split("/")[0] : "")));
  if (tops.size !== 1 || tops.has("")) return kept;
  const start = [...tops][0].length + 1;
  return kept.map((file) => ({ ...file, path: file.path.slice(start) }));
}
