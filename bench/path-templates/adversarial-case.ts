import { Random } from './random.ts'
import { ADJECTIVES, NOUNS } from './words.ts'

/** One hand-made situation: what is sent, and what must come out. */
export interface AdversarialCase {
  /** Class of the situation. */
  kind: string
  name: string
  send: readonly Sent[]
  /** Path (GET unless a method stands before) → template that it must have. */
  expect: Readonly<Record<string, string>>
  /** At most so many templates in all. */
  maxTemplates?: number
}

/** Path, how often, key names of the answer. */
export interface Sent {
  method?: string
  path: string
  times?: number
  keys?: readonly string[]
}

/** Key names of some answers. */
export const USER = ['id', 'name', 'email', 'createdAt']
export const ITEM = ['sku', 'title', 'price', 'stock']
export const LIST = ['data', 'data#$#id', 'total']
export const REPORT = ['period', 'revenue', 'chart#$#x']
export const DONE = ['status', 'message']

/** One request per value between prefix and suffix, each a few times. */
export function spread(
  prefix: string,
  values: readonly string[],
  suffix: string,
  keys: readonly string[],
  times = 3,
): Sent[] {
  return values.map((value, i) => ({
    path: `${prefix}/${value}${suffix}`,
    keys,
    times: 1 + ((i * 7) % times),
  }))
}

/** Every path is expected at this template. */
export function all(paths: readonly string[], template: string): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, template]))
}

/** Every path is expected to stay an endpoint of its own. */
export function self(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, path]))
}

/** Titles as they stand in addresses of articles. */
export function slugs(count: number, seed: number): string[] {
  const random = new Random(seed)
  const made = new Set<string>()
  while (made.size < count) {
    made.add(
      [
        'how-we',
        random.pick(['scaled', 'built', 'broke', 'fixed']),
        random.pick(ADJECTIVES),
        random.pick(NOUNS),
      ].join('-'),
    )
  }
  return [...made]
}

/** So many different numbers, as text. */
export function numbers(count: number, from = 100): string[] {
  return Array.from({ length: count }, (_, i) => String(from + i * 37))
}
