import type { Account, MarketState } from './state.ts'
import { readToken, SOUND_CHECKS, type TokenChecks } from './tokens.ts'
import type { WeaknessId } from './weaknesses.ts'

/** An answer of the market; header lists keep repeats. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Objects go out as JSON, texts as they are. */
  readonly body?: unknown
  /** Written into the head as it stands, line breaks and all; only where that is the weakness. */
  readonly rawHeaderLine?: string
  /** Takes protective headers away. */
  readonly isBare?: boolean
}

/** One request on its way through a route. */
export class Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly state: MarketState
  readonly #weak: ReadonlySet<WeaknessId>

  constructor(
    request: {
      method: string
      target: string
      headers: Readonly<Record<string, string | string[] | undefined>>
      body: string
    },
    state: MarketState,
    weak: ReadonlySet<WeaknessId>,
  ) {
    const cut = request.target.indexOf('?')
    this.method = request.method
    this.path = cut < 0 ? request.target : request.target.slice(0, cut)
    this.query = new URLSearchParams(cut < 0 ? '' : request.target.slice(cut + 1))
    this.headers = request.headers
    this.body = request.body
    this.state = state
    this.#weak = weak
  }

  /** Whether the market has this weakness now. */
  has(weakness: WeaknessId): boolean {
    return this.#weak.has(weakness)
  }

  header(name: string): string {
    const value = this.headers[name]
    return Array.isArray(value) ? (value[0] ?? '') : (value ?? '')
  }

  /** The body as a JSON object; null when it is none. */
  get json(): Record<string, unknown> | null {
    try {
      const value: unknown = JSON.parse(this.body)
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : null
    } catch {
      return null // every route answers 400 to that
    }
  }

  /** The account of the bearer token, or null. */
  caller(checks: TokenChecks = SOUND_CHECKS): Account | null {
    const [scheme, token] = this.header('authorization').split(' ')
    if (scheme !== 'Bearer' || token === undefined) return null
    const claims = readToken(token, checks)
    return claims === null ? null : (this.state.accountById(claims.sub) ?? null)
  }
}

/** A route: a method, a pattern of the path whose groups are the parameters, and what answers. */
export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly answer: (call: Call, parameters: readonly string[]) => Answer | Promise<Answer>
}

export const UNAUTHORIZED: Answer = { status: 401, body: { error: 'sign in first' } }
export const FORBIDDEN: Answer = { status: 403, body: { error: 'not yours' } }
export const NOT_FOUND: Answer = { status: 404, body: { error: 'there is no such thing' } }
export const BAD_REQUEST: Answer = { status: 400, body: { error: 'the request cannot be understood' } }

/** A route for signed-in callers. */
export function forCallers(
  method: string,
  pattern: RegExp,
  answer: (call: Call, caller: Account, parameters: readonly string[]) => Answer | Promise<Answer>,
): Route {
  return {
    method,
    pattern,
    answer: (call, parameters) => {
      const caller = call.caller()
      return caller === null ? UNAUTHORIZED : answer(call, caller, parameters)
    },
  }
}
