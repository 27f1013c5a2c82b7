// SHAKE-256 (FIPS 202), for checking a shuffle in the reader's browser.
//
// A lane of 64 bits is two words of 32, low word first, because that is what JavaScript computes with
// quickly. The state is 25 lanes: lane (x, y) is at index x + 5 * y.

const ROUNDS = 24;
const RATE_BYTES = 136;
const LANES = 25;

// Algorithm 5: the bits of the round constants come out of a shift register, and stand at 2**j - 1.
function roundConstants() {
  const constants = new Int32Array(2 * ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    for (let j = 0; j <= 6; j++) {
      const bit = 2 ** j - 1;
      if (register & 1) constants[2 * round + (bit >> 5)] |= 1 << (bit & 31);
      register <<= 1;
      if (register & 0x100) register ^= 0x171;
    }
  }
  return constants;
}

// Algorithms 2 and 3 (rho and pi): lane PATH[t] moves to PATH[t + 1], turned by TURNS[t] bits.
function rhoAndPi() {
  const path = [1];
  const turns = [];
  let [x, y] = [1, 0];
  for (let t = 0; t < LANES - 1; t++) {
    turns.push((((t + 1) * (t + 2)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
    path.push(x + 5 * y);
  }
  return { path, turns };
}

const CONSTANTS = roundConstants();
const { path: PATH, turns: TURNS } = rhoAndPi();

function theta(state, columns) {
  for (let i = 0; i < 10; i++) {
    columns[i] = state[i] ^ state[i + 10] ^ state[i + 20] ^ state[i + 30] ^ state[i + 40];
  }
  for (let x = 0; x < 5; x++) {
    const before = 2 * ((x + 4) % 5);
    const after = 2 * ((x + 1) % 5);
    const low = columns[before] ^ ((columns[after] << 1) | (columns[after + 1] >>> 31));
    const high = columns[before + 1] ^ ((columns[after + 1] << 1) | (columns[after] >>> 31));
    for (let lane = x; lane < LANES; lane += 5) {
      state[2 * lane] ^= low;
      state[2 * lane + 1] ^= high;
    }
  }
}

function moveLanes(state) {
  let low = state[2];
  let high = state[3];
  for (let t = 0; t < LANES - 1; t++) {
    if (TURNS[t] >= 32) [low, high] = [high, low];
    const bits = TURNS[t] & 31;
    const target = 2 * PATH[t + 1];
    const [nextLow, nextHigh] = [state[target], state[target + 1]];
    // A shift by 32 would be one by 0.
    state[target] = bits ? (low << bits) | (high >>> (32 - bits)) : low;
    state[target + 1] = bits ? (high << bits) | (low >>> (32 - bits)) : high;
    [low, high] = [nextLow, nextHigh];
  }
}

function chi(state, row) {
  for (let start = 0; start < 2 * LANES; start += 10) {
    for (let i = 0; i < 10; i++) row[i] = state[start + i];
    for (let i = 0; i < 10; i++) state[start + i] ^= ~row[(i + 2) % 10] & row[(i + 4) % 10];
  }
}

function permute(state) {
  const ten = new Int32Array(10);
  for (let round = 0; round < ROUNDS; round++) {
    theta(state, ten);
    moveLanes(state);
    chi(state, ten);
    state[0] ^= CONSTANTS[2 * round];
    state[1] ^= CONSTANTS[2 * round + 1];
  }
}

/**
 * The first bytes of SHAKE-256's output.
 *
 * @param {Uint8Array} message
 * @param {number} length how many bytes of output
 * @returns {Uint8Array}
 */
export function shake256(message, length) {
  const state = new Int32Array(2 * LANES);
  const mix = (at, byte) => { state[at >> 2] ^= byte << (8 * (at & 3)); };
  let at = 0;
  for (const byte of message) {
    mix(at++, byte);
    if (at === RATE_BYTES) {
      permute(state);
      at = 0;
    }
  }
  // The four bits that make it SHAKE, then the padding 10*1.
  mix(at, 0x1f);
  mix(RATE_BYTES - 1, 0x80);

  const output = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const from = i % RATE_BYTES;
    if (from === 0) permute(state);
    output[i] = state[from >> 2] >>> (8 * (from & 3));
  }
  return output;
}
