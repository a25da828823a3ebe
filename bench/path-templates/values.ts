import { Random, seedOf, Zipf } from './random.ts'
import {
  ADJECTIVES,
  CATEGORIES,
  COMPANIES,
  COUNTRIES,
  CURRENCIES,
  ENVIRONMENTS,
  FIRST_NAMES,
  LOCALES,
  NOUNS,
  TECH_WORDS,
} from './words.ts'

/** A path parameter as the document of an API describes it. */
export interface ParamFacts {
  name: string
  type?: string | null
  format?: string | null
  enum?: readonly unknown[] | null
  example?: unknown
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const HEX = '0123456789abcdef'
const MIXED = LOWER + LOWER.toUpperCase() + DIGITS

type Maker = (random: Random) => string

const makeUuid: Maker = (r) =>
  `${r.text(8, HEX)}-${r.text(4, HEX)}-4${r.text(3, HEX)}-${r.pick(['8', '9', 'a', 'b'])}${r.text(3, HEX)}-${r.text(12, HEX)}`
const makeSlug: Maker = (r) => {
  const words = [r.pick(ADJECTIVES), r.pick(NOUNS)]
  if (r.chance(0.4)) words.push(r.pick(TECH_WORDS))
  return words.join('-')
}
const makeTitle: Maker = (r) => {
  const words: string[] = []
  for (let i = r.integer(3, 6); i > 0; i--) words.push(r.pick(r.chance(0.5) ? NOUNS : ADJECTIVES))
  return words.join('-')
}
const makeWord: Maker = (r) => r.pick(r.pick([NOUNS, TECH_WORDS, ADJECTIVES]))
const makeHandle: Maker = (r) => {
  const kind = r.next()
  if (kind < 0.35) return r.pick(FIRST_NAMES)
  if (kind < 0.5) return r.pick(COMPANIES)
  if (kind < 0.65) return r.pick(FIRST_NAMES) + r.integer(1, 99)
  if (kind < 0.8) return `${r.pick(FIRST_NAMES)}-${r.pick(NOUNS)}`
  if (kind < 0.9) return r.pick(ADJECTIVES) + r.pick(NOUNS)
  return r.pick(FIRST_NAMES).slice(0, 1) + r.pick(NOUNS) + r.text(2, LOWER)
}
const makeProject: Maker = (r) => {
  const kind = r.next()
  if (kind < 0.35) return r.pick(TECH_WORDS)
  if (kind < 0.65) return `${r.pick(TECH_WORDS)}-${r.pick(NOUNS)}`
  if (kind < 0.85) return `${r.pick(ADJECTIVES)}_${r.pick(TECH_WORDS)}`
  return `${r.pick(NOUNS)}.js`
}
const makeUpperKey: Maker = (r) =>
  `${r.pick(TECH_WORDS)}_${r.pick(['TOKEN', 'KEY', 'SECRET', 'URL', 'HOST'])}`.toUpperCase()
const makeBranch: Maker = (r) =>
  r.chance(0.4)
    ? r.pick(['main', 'master', 'develop', 'release', 'staging', 'next', 'trunk'])
    : `${r.pick(['feature', 'fix', 'chore'])}-${r.pick(NOUNS)}-${r.integer(1, 999)}`
const makeIp: Maker = (r) =>
  `${r.integer(1, 223)}.${r.integer(0, 255)}.${r.integer(0, 255)}.${r.integer(1, 254)}`
const makeIp6: Maker = (r) => Array.from({ length: 8 }, () => r.text(r.integer(1, 4), HEX)).join(':')
const makeDate: Maker = (r) =>
  `20${r.integer(10, 26)}-${String(r.integer(1, 12)).padStart(2, '0')}-${String(r.integer(1, 28)).padStart(2, '0')}`
const makeEmail: Maker = (r) => `${r.pick(FIRST_NAMES)}.${r.pick(NOUNS)}@${r.pick(COMPANIES)}.example`
const makeDomain: Maker = (r) =>
  `${r.pick(NOUNS)}${r.chance(0.3) ? r.integer(1, 99) : ''}.${r.pick(['com', 'org', 'io', 'dev'])}`
const makeFile: Maker = (r) =>
  `${r.pick(NOUNS)}${r.chance(0.4) ? `-${r.integer(1, 40)}` : ''}.${r.pick(['txt', 'md', 'png', 'ts'])}`

/** What a parameter's name tells about its values; the first rule that fits. */
const BY_NAME: readonly (readonly [RegExp, readonly Maker[]])[] = [
  [/uuid|guid/i, [makeUuid]],
  [/e-?mail/i, [makeEmail]],
  [/(sha|digest|hash|fingerprint|checksum)/i, [(r) => r.text(40, HEX), (r) => r.text(64, HEX)]],
  [/ipv?6/i, [makeIp6]],
  [/(^|_)ip(_|$)|ipv?4/i, [makeIp]],
  [/domain|host(name)?$/i, [makeDomain]],
  [/locale|lang/i, [(r) => r.pick(LOCALES)]],
  [/country|region/i, [(r) => r.pick(COUNTRIES)]],
  [/currency/i, [(r) => r.pick(CURRENCIES)]],
  [/(^|_)(date|day)$|Date$/i, [makeDate]],
  [/year/i, [(r) => String(r.integer(1990, 2026))]],
  [/environment|stage/i, [(r) => r.pick(ENVIRONMENTS), makeSlug]],
  [/categor|department|section/i, [(r) => r.pick(CATEGORIES), makeSlug]],
  [/branch|(^|_)ref$/i, [makeBranch]],
  [/secret|variable/i, [makeUpperKey]],
  [/version/i, [(r) => `${r.integer(0, 9)}.${r.integer(0, 20)}.${r.integer(0, 30)}`]],
  [/path|file/i, [makeFile]],
  [
    /code|ticker|symbol|iata/i,
    [(r) => r.text(r.integer(3, 5), LOWER.toUpperCase()), (r) => r.text(6, LOWER + DIGITS)],
  ],
  [/slug|title|article|post/i, [makeTitle, makeSlug]],
  [/(_|^)number$|(_|^)(index|page|position|count)$/i, [(r) => String(r.integer(1, 400))]],
  [
    /owner|org|user|login|account|member|assignee|enterprise|tenant|customer|client|author|actor|team/i,
    [makeHandle],
  ],
  [/repo|project|app|package|workspace|template/i, [makeProject, makeSlug]],
  [
    /(^|[_-])ids?$|Ids?$|(^|_)(sid|key|token|handle)$/i,
    [
      makeUuid,
      (r) => r.text(10, MIXED),
      (r) => r.text(24, HEX),
      (r) => `${r.text(3, LOWER)}_${r.text(14, MIXED)}`,
      (r) => String(r.integer(1000, 9_999_999)),
    ],
  ],
  [
    /name|tag|label|topic|subject|group|type|provider|role|collection|bucket|queue|table/i,
    [makeWord, makeSlug, makeProject],
  ],
]

/** Values that look like the example: same kinds of signs at the same places after a common start. */
function likeExample(example: string): Maker | null {
  const text = example.replace(/^"|"$/g, '')
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)) return makeUuid
  if (/^\d+$/.test(text)) return (r) => String(r.integer(1, 10 ** Math.min(9, Math.max(3, text.length))))
  if (/^[0-9a-f]{16,}$/.test(text)) return (r) => r.text(text.length, HEX)
  if (text.length >= 16 && /\d/.test(text) && /[a-z]/i.test(text) && /^[\w.-]+$/.test(text)) {
    const start = /^[a-z]+[_1-]?/i.exec(text)?.[0].slice(0, 6) ?? ''
    return (r) => start + r.text(text.length - start.length, /[A-Z]/.test(text) ? MIXED : LOWER + DIGITS)
  }
  if (/^[a-z]{1,6}[_-]?\d+$/i.test(text)) {
    const start = /^[a-z]+[_-]?/i.exec(text)![0]
    return (r) => start + r.integer(1, 5000)
  }
  return null
}

/** How many different values a parameter takes in the traffic. */
function poolSize(random: Random): number {
  const kind = random.next()
  if (kind < 0.15) return random.integer(8, 15)
  if (kind < 0.55) return random.integer(20, 80)
  return random.integer(100, 1000)
}

function makerOf(api: string, param: ParamFacts, random: Random): Maker {
  const { format, type } = param
  if (format === 'uuid') return makeUuid
  if (format === 'ipv4') return makeIp
  if (format === 'ipv6') return makeIp6
  if (format === 'email') return makeEmail
  if (format === 'date') return makeDate
  if (format === 'date-time')
    return (r) => `${makeDate(r)}T${String(r.integer(0, 23)).padStart(2, '0')}:00:00Z`
  if (type === 'integer') {
    const top = random.pick([300, 20_000, 900_000, 2_000_000_000])
    return (r) => String(r.integer(1, top))
  }
  if (type === 'number') return (r) => (r.next() * 1000).toFixed(2)
  if (type === 'boolean') return (r) => r.pick(['true', 'false'])
  if (param.example !== undefined && param.example !== null) {
    const maker = likeExample(String(param.example))
    if (maker) return maker
  }
  for (const [pattern, makers] of BY_NAME) {
    if (pattern.test(param.name))
      return makers[seedOf(api + param.name, 7 + random.integer(0, 999)) % makers.length]!
  }
  return random.pick([makeWord, makeSlug, makeProject, makeUuid])
}

/** Draws the values of one parameter: a pool of its own per API and name, used with Zipf's law, or always new ones. */
export class ValueSource {
  readonly #make: Maker | null
  readonly #pool: string[]
  readonly #zipf: Zipf

  constructor(api: string, param: ParamFacts, seed: number) {
    const listed = param.enum?.filter((value) => value !== null && value !== '').map(String) ?? []
    const random = new Random(seedOf(`${api} ${param.name} ${param.type} ${param.format}`, seed))
    if (listed.length > 0) {
      this.#make = null
      this.#pool = random.shuffle(listed)
    } else {
      const make = makerOf(api, param, random)
      const isFresh = random.chance(0.25)
      const size = poolSize(random)
      const pool = new Set<string>()
      for (let i = 0; i < size * 3 && pool.size < size; i++) pool.add(make(random))
      this.#make = isFresh && pool.size === size ? make : null
      this.#pool = [...pool]
    }
    this.#zipf = new Zipf(this.#pool.length, random.pick([0, 0.5, 0.9]))
  }

  draw(random: Random): string {
    if (this.#make !== null && random.chance(0.5)) return this.#make(random)
    return this.#pool[this.#zipf.draw(random)]!
  }
}
