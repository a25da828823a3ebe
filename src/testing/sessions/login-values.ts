import { type Exchange, type HeaderList, headerValue, headerValues } from '../../http/index.ts'
import { compilePattern } from '../../rules/index.ts'
import type { JsonTree } from '../attempts/json-tree.ts'
import { isScalar, readTree, scalarText, writeTree } from '../attempts/json-tree.ts'
import type { Take } from './login-step.ts'

/** A request of a login with its answer. */
export type AnsweredStep = Pick<Exchange, 'request' | 'response'>

const PLACEHOLDER = /\$\{([^${}]{1,500})\}/g
const MAX_VALUE = 256 * 1024

/**
 * What is known while a login runs: answered steps, values kept of them, and cookies. Texts refer to them as
 * `${x1.response.body.data.token}`, `${x1.response.headers.location}`, `${x1.response.cookies.sid}`,
 * `${x1.response.status_code}`, `${x1.request.body.user}`, `${name}` for a value kept by a step, and `${cookies}` for
 * all cookies as a `Cookie` header has them.
 */
export class LoginValues {
  readonly #steps = new Map<string, AnsweredStep>()
  readonly #kept = new Map<string, string>()
  readonly #cookies = new Map<string, string>()

  /** Adds an answered step under its names, with its cookies. */
  add(names: readonly string[], step: AnsweredStep): void {
    for (const name of names) this.#steps.set(name, step)
    for (const line of headerValues(step.response.headers, 'set-cookie')) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      if (equals > 0 && pair.length < 8192)
        this.#cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1))
    }
  }

  /** Keeps a value under a name. */
  keep(name: string, value: string): void {
    this.#kept.set(name, value)
  }

  /** All cookies so far, as the `Cookie` header has them; '' without any. */
  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /**
   * The text with its placeholders filled.
   *
   * @param encode how a value is written at this place; as it is unless given
   * @returns `missing`: the first placeholder that stands for nothing
   */
  fill(
    text: string,
    encode: (value: string) => string = (value) => value,
  ): { text: string } | { missing: string } {
    let missing: string | null = null
    const filled = text.replaceAll(PLACEHOLDER, (_whole, path: string) => {
      const value = this.valueOf(path.trim())
      if (value === null) missing ??= path
      return value === null ? '' : encode(value)
    })
    return missing === null ? { text: filled } : { missing }
  }

  /** What a placeholder stands for; null for nothing. */
  valueOf(path: string): string | null {
    const kept = this.#kept.get(path)
    if (kept !== undefined) return kept
    if (path === 'cookies') return this.cookies === '' ? null : this.cookies
    const [name = '', side = '', part = '', ...rest] = path.split('.')
    const step = this.#steps.get(name)
    // `x1.header.name` is short for `x1.response.headers.name`.
    const isShort = step !== undefined && side !== 'response' && side !== 'request'
    const [at, key] = isShort ? [side, [part, ...rest].join('.')] : [part, rest.join('.')]
    if (step === undefined) return null
    const message = side === 'request' ? step.request : step.response
    return partOf(message, step, at, key)
  }
}

function partOf(
  message: AnsweredStep['request'] | AnsweredStep['response'],
  { response }: AnsweredStep,
  part: string,
  key: string,
): string | null {
  switch (part) {
    case 'body':
      return bodyValue(message.body, key)
    case 'header':
    case 'headers':
      return headerValue(message.headers, key) ?? null
    case 'cookie':
    case 'cookies':
      return cookieOf(message.headers, key)
    case 'status_code':
      return String(response.status)
    default:
      return null
  }
}

/** The value of a take; null when the answer does not hold it. */
export function takenValue(take: Take, { response }: AnsweredStep): string | null {
  const found =
    take.from === 'STATUS'
      ? String(response.status)
      : take.from === 'HEADER'
        ? (headerValue(response.headers, take.key) ?? null)
        : take.from === 'COOKIE'
          ? cookieOf(response.headers, take.key)
          : bodyValue(response.body, take.key)
  if (found === null || take.regex === null) return found
  const pattern = compilePattern(take.regex)
  if (typeof pattern === 'string') return null
  return pattern.findAll(found.slice(0, MAX_VALUE), 1)[0] ?? null
}

/** Of `Set-Cookie` in an answer, of `Cookie` in a request. */
function cookieOf(headers: HeaderList, name: string): string | null {
  const pairs = [
    ...headerValues(headers, 'set-cookie').map((line) => line.split(';')[0] ?? ''),
    ...headerValues(headers, 'cookie').flatMap((line) => line.split(';')),
  ]
  const wanted = name.toLowerCase()
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim().toLowerCase() === wanted)
      return pair.slice(equals + 1).trim()
  }
  return null
}

/** The value at a path such as `data.tokens[0].access` of a JSON text; the whole text without a path. */
function bodyValue(body: string, path: string): string | null {
  if (path === '') return body === '' ? null : body
  let at: JsonTree | undefined = readTree(body)
  for (const step of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (at instanceof Map) at = at.get(step)
    else if (Array.isArray(at) && /^\d{1,9}$/.test(step)) at = at[Number(step)]
    else return null
  }
  if (at === undefined || at === null) return null
  const text = isScalar(at) ? scalarText(at) : writeTree(at)
  return text.length > MAX_VALUE ? null : text
}
