/** Rounds of Keccak-f[1600], rotations in the order of the walk below, and round constants. */
const ROTATIONS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44]
const LANES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]
const ROUND_CONSTANTS = roundConstants()
const RATE = 136

/** Keccak-256 as Ethereum uses it (the padding before FIPS 202), of at most 135 bytes, in hex. */
export function keccak256Hex(message: Uint8Array): string {
  if (message.length >= RATE) throw new RangeError('only messages of one block are supported')
  const block = Buffer.alloc(RATE)
  block.set(message)
  block[message.length]! ^= 1
  block[RATE - 1]! ^= 0x80
  const state = new BigUint64Array(25)
  for (let lane = 0; lane < RATE / 8; lane++) state[lane] = block.readBigUInt64LE(lane * 8)
  for (const constant of ROUND_CONSTANTS) round(state, constant)
  const out = Buffer.alloc(32)
  for (let lane = 0; lane < 4; lane++) out.writeBigUInt64LE(state[lane]!, lane * 8)
  return out.toString('hex')
}

function rotate(lane: bigint, bits: number): bigint {
  return BigInt.asUintN(64, (lane << BigInt(bits)) | (lane >> BigInt(64 - bits)))
}

function round(state: BigUint64Array, constant: bigint): void {
  const parity = Array.from(
    { length: 5 },
    (_, x) => state[x]! ^ state[x + 5]! ^ state[x + 10]! ^ state[x + 15]! ^ state[x + 20]!,
  )
  for (let x = 0; x < 5; x++) {
    const mix = parity[(x + 4) % 5]! ^ rotate(parity[(x + 1) % 5]!, 1)
    for (let y = 0; y < 25; y += 5) state[x + y]! ^= mix
  }
  let moving = state[1]!
  for (let i = 0; i < 24; i++) {
    const lane = LANES[i]!
    const kept = state[lane]!
    state[lane] = rotate(moving, ROTATIONS[i]!)
    moving = kept
  }
  for (let y = 0; y < 25; y += 5) {
    const row = state.slice(y, y + 5)
    for (let x = 0; x < 5; x++) state[x + y] = row[x]! ^ (~row[(x + 1) % 5]! & row[(x + 2) % 5]!)
  }
  state[0]! ^= constant
}

/** Bits 2^j − 1 of each constant come from a linear feedback shift register (FIPS 202 section 3.2.5). */
function roundConstants(): readonly bigint[] {
  const constants: bigint[] = []
  let register = 1
  for (let index = 0; index < 24; index++) {
    let constant = 0n
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) constant |= 1n << BigInt(2 ** j - 1)
      register = (register << 1) ^ ((register >> 7) * 0x171)
    }
    constants.push(constant)
  }
  return constants
}
