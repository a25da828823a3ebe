import { jsonOf } from './messages/json-tree.ts'
import { textOf } from './messages/leaves.ts'

const MAX_DEPTH = 100
/** Paths of one body that are compared. */
const MAX_PATHS = 20_000
/** Values of one path that are compared. */
const MAX_VALUES = 1_000

/** What a path of a body holds; positions of lists are one path. */
interface Held {
  readonly values: Set<string>
  /** A text, number or true was there: not only null, '', 0, false, {} and []. */
  isFilled: boolean
}

/** Values that differ from answer to answer: times, identifiers, tokens, hashes. */
const VOLATILE =
  /^(?:\d{4}-\d\d-\d\d(?:[T ].*)?|\d{9,20}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|[\w-]+\.[\w-]+\.[\w-]{10,}|(?=.*\d)[\w+/=-]{20,}|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d.*)$/i
/** Names of values that say when or which one, not what. */
const VOLATILE_NAME =
  /(?:time|timestamp|date|_at|At|expires?|expiry|nonce|etag|version|(?:request|trace|correlation)_?[iI]d|duration|took|elapsed)$/
const ID_NAME = /(?:^|_|[a-z](?=I))(?:id|uuid|guid|key|no|number|ref)$/i
/** Words with which an answer says no although its status is that of success. */
const REFUSAL =
  /\b(?:unauthori[sz]ed|unauthenticated|forbidden|denied|not (?:allowed|authori[sz]ed|logged in|signed in|permitted)|(?:log|sign)[ -]?in|invalid|fail(?:ed|ure)?|error|expired|missing)\b/i
/** A message that tells of success may name what comes next: "Successfully registered. Log in to continue." */
const SUCCESS = /(?<!\b(?:not|without|no) )\bsuccess(?:ful(?:ly)?)?\b/i

/**
 * How much two answers say the same, in whole percent: the lesser of the share of structure that both have, and of the
 * values that mean the same. Lists may have grown; times, tokens and identifiers of the moment do not count; what was
 * filled must not be empty. What a write makes anew (its identifiers and numbers) may differ. An answer that says no
 * where the other does not has nothing in common with it.
 *
 * @param isWrite the answers are to requests that write, sent one after the other
 * @param sent what the two requests sent: an answer that only repeats its own request does not differ
 */
export function meaningPercentage(
  answer: string,
  sample: string,
  isWrite: boolean,
  sent: SentValues = NOTHING_SENT,
): number {
  const [now, before] = [answer.trim(), sample.trim()]
  if (now === before) return 100
  const [first, second] = [jsonOf(now), jsonOf(before)]
  if (first === null || second === null) return first === second ? textPercentage(now, before) : 0
  const [A, B] = [heldIn(first.tree), heldIn(second.tree)]
  if (A.size === 0 || B.size === 0) return A.size === B.size ? 100 : 0
  if (refuses(A) && !refuses(B)) return 0
  let common = 0
  let points = 0
  let judged = 0
  for (const [path, held] of B) {
    const other = A.get(path)
    if (other === undefined) continue
    common++
    const isEcho = isWrite && repeats(other, sent.now) && repeats(held, sent.before)
    const likeness = isEcho
      ? 1
      : isWrite && sent.isOtherObject === true
        ? fillingOf(other, held)
        : likenessOf(path, other, held, isWrite)
    if (likeness === null) continue
    judged++
    points += likeness
  }
  const structure = common / (A.size + B.size - common)
  const meaning = judged === 0 ? 1 : points / judged
  return Math.trunc(100 * Math.min(structure, meaning))
}

/** Values that two requests sent, as texts. */
interface SentValues {
  readonly now: ReadonlySet<string>
  readonly before: ReadonlySet<string>
  /** The write acted on another object than the recorded one, made for the test: only structure and refusals count. */
  readonly isOtherObject?: boolean
}

/** Whether two URLs differ only where the path template has a parameter. */
export function isOtherObject(now: string, before: string, template: string): boolean {
  if (now === before) return false
  const segmentsOf = (url: string): string[] => url.replace(ORIGIN, '').replace(/\/$/, '').split('/')
  const [first, second, names] = [segmentsOf(now), segmentsOf(before), segmentsOf(template)]
  const offset = second.length - names.length
  return (
    first.length === second.length &&
    first.every((segment, at) => segment === second[at] || second[at] !== names[at - offset])
  )
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i

const NOTHING_SENT: SentValues = { now: new Set(), before: new Set() }

function repeats({ values, isFilled }: Held, sent: ReadonlySet<string>): boolean {
  return isFilled && sent.size > 0 && [...values].every((value) => sent.has(value))
}

/** Whether the body of an answer says no by its own message, whatever its status. */
export function saysNo(body: string): boolean {
  const json = jsonOf(body.trim())
  return json !== null && refuses(heldIn(json.tree))
}

/** 0 to 1; null for what says nothing about the meaning. */
function likenessOf(path: string, now: Held, before: Held, isWrite: boolean): number | null {
  if (!before.isFilled) return now.isFilled ? 0 : null
  if (!now.isFilled) return 0
  let shared = 0
  for (const value of before.values) if (now.values.has(value)) shared++
  const overlap = shared / Math.min(now.values.size, before.values.size)
  if (overlap === 1) return 1
  const name = path.slice(path.lastIndexOf('.') + 1).replaceAll('[]', '')
  if (VOLATILE_NAME.test(name) || (areVolatile(now) && areVolatile(before) && isWrite)) return null
  if (!isWrite) return areVolatile(now) && areVolatile(before) && !ID_NAME.test(name) ? null : overlap
  if (ID_NAME.test(name) || (areNumbers(now) && areNumbers(before))) return null
  return overlap
}

/** Whether a value is there, of objects whose values differ. */
function fillingOf(now: Held, before: Held): number | null {
  return before.isFilled ? Number(now.isFilled) : null
}

function areVolatile({ values }: Held): boolean {
  for (const value of values) if (!VOLATILE.test(value)) return false
  return true
}

function areNumbers({ values }: Held): boolean {
  for (const value of values) if (!/^-?\d+(?:\.\d+)?$/.test(value)) return false
  return true
}

/** A short message of the answer itself, not of its data, says no. */
function refuses(held: ReadonlyMap<string, Held>): boolean {
  for (const [path, { values, isFilled }] of held) {
    if (/^\.(?:success|ok)$/i.test(path) && !isFilled) return true
    if (
      !isFilled ||
      !/^(?:\.errors?)?(?:\[\])?\.(?:error|errors|status|state|result|message|msg|detail|reason|title)$/i.test(
        path,
      )
    )
      continue
    for (const value of values) if (REFUSAL.test(value) && !SUCCESS.test(value)) return true
  }
  return false
}

function heldIn(tree: unknown): Map<string, Held> {
  const byPath = new Map<string, Held>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH || byPath.size >= MAX_PATHS) return
    if (Array.isArray(value) && value.length > 0) {
      for (const item of value) visit(item, `${path}[]`, depth + 1)
      return
    }
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      for (const [key, below] of Object.entries(value))
        visit(below, `${path}.${/\p{L}/u.test(key) ? key : '#'}`, depth + 1)
      return
    }
    let held = byPath.get(path)
    if (held === undefined) {
      held = { values: new Set(), isFilled: false }
      byPath.set(path, held)
    }
    if (held.values.size < MAX_VALUES) held.values.add(textOf(value))
    if (isFilled(value)) held.isFilled = true
  }
  visit(tree, '', 0)
  return byPath
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' ? false : value !== '' && value !== 0 && value !== false
}

/** Of texts that are not JSON the share of common words; a page that asks for a password says no. */
function textPercentage(now: string, before: string): number {
  const asksForPassword = /type\s*=\s*["']?password/i
  if (asksForPassword.test(now) && !asksForPassword.test(before)) return 0
  const [A, B] = [wordsOf(now), wordsOf(before)]
  let shared = 0
  for (const word of A) if (B.has(word)) shared++
  const union = A.size + B.size - shared
  return union === 0 ? 100 : Math.trunc((100 * shared) / union)
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const word of text.split(/[^\p{L}\p{N}@._-]+/u, MAX_PATHS))
    if (/[\p{L}\p{N}]/u.test(word) && !VOLATILE.test(word)) words.add(word)
  return words
}
