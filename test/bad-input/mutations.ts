/** Numbers in [0, 1) that repeat for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** The bytes cut off at `count` places spread over the whole length. */
export function truncations(bytes: Buffer, count: number, seed: number): Buffer[] {
  const random = seeded(seed)
  return Array.from({ length: count }, (_, i) =>
    bytes.subarray(0, Math.max(1, Math.floor(((i + random()) / count) * bytes.length))),
  )
}

/** Copies of the bytes with a few of them replaced by arbitrary ones. */
export function byteFlips(bytes: Buffer, count: number, seed: number): Buffer[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => {
    const copy = Buffer.from(bytes)
    const flips = 1 + Math.floor(random() * 4)
    for (let i = 0; i < flips; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256)
    return copy
  })
}

const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  'text',
  '\u0000',
  '\ud800',
  '__proto__',
  [],
  [null],
  [[[[]]]],
  {},
  { $ref: '#/paths' },
  { __proto__x: 1, constructor: { prototype: { polluted: 1 } } },
  'x'.repeat(10_000),
]

/** Copies of a JSON document in each of which one to three values are replaced by values of another kind. */
export function wrongTypes(document: unknown, count: number, seed: number): string[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => {
    const copy = structuredClone(document)
    const changes = 1 + Math.floor(random() * 3)
    for (let i = 0; i < changes; i++) replaceOne(copy, random)
    return JSON.stringify(copy)
  })
}

function replaceOne(root: unknown, random: () => number): void {
  const slots: [holder: Record<string, unknown>, key: string][] = []
  const open: unknown[] = [root]
  while (open.length > 0) {
    const holder = open.pop()
    if (typeof holder !== 'object' || holder === null) continue
    for (const [key, child] of Object.entries(holder)) {
      slots.push([holder as Record<string, unknown>, key])
      open.push(child)
    }
  }
  const slot = slots[Math.floor(random() * slots.length)]
  if (slot !== undefined) slot[0][slot[1]] = structuredClone(WRONG[Math.floor(random() * WRONG.length)])
}
