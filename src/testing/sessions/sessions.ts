import { nowMs } from '../../kit/index.ts'
import type { AuthMechanismView } from '../records/auth-mechanism.ts'
import { beginSession, hasEnded, mechanismKind, type SessionDeps } from './begin-session.ts'
import { isLoginFailure, type Session, type SessionState } from './session.ts'

/** Logins of one mechanism in a row; a target that throws sessions away at once must not be hammered. */
const MAX_LOGINS = 5
/** A session that lasted so long, in milliseconds, ends the row: it ended as sessions do. */
const LASTED_MS = 20_000
/** Sessions of one mechanism that were refused, in all: a role that nothing accepts does not sign in for hours. */
const MAX_RENEWALS = 60

/** Keeps sessions beyond a run, sealed. */
interface SessionKeeper {
  /** Null without one that lasts. */
  kept(mechanismId: string): Promise<string | null>
  keep(mechanismId: string, text: string, expiresAt: number): Promise<void>
}

/** What sessions of a run need. */
export interface SessionsDeps extends SessionDeps {
  readonly keeper: SessionKeeper | null
  /** Called with every problem once. */
  readonly note: (sentence: string) => void
  /** Hears the values of every session, for the mask of evidence. */
  readonly secrets: (values: readonly string[]) => void
}

interface Entry {
  state: SessionState | null
  /** In a row. */
  logins: number
  /** Logins because the target refused the session before. */
  renewals: number
  flight: Promise<SessionState> | null
}

/**
 * The sessions of a run, one for each mechanism of its roles: begun once, shared by all tests, begun again when they
 * die. Anyone who asks while a login is under way waits for that one.
 */
export class Sessions {
  readonly #deps: SessionsDeps
  readonly #entries = new Map<string, Entry>()

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /** The session as it stands; null when none was begun yet. */
  current(mechanism: AuthMechanismView): SessionState | null {
    return this.#entries.get(mechanism.id)?.state ?? null
  }

  /** Begins the session unless it lasts. */
  begin(mechanism: AuthMechanismView, who: string): Promise<SessionState> {
    const entry = this.#entryOf(mechanism)
    if (entry.state !== null && (isLoginFailure(entry.state) || !hasEnded(entry.state)))
      return Promise.resolve(entry.state)
    return this.#login(mechanism, who, entry, entry.logins === 0)
  }

  /**
   * Begins the session again when the target refused it in a request that began at `seenMs`; a session that is younger
   * stays.
   */
  renew(mechanism: AuthMechanismView, who: string, seenMs: number): Promise<SessionState> {
    const entry = this.#entryOf(mechanism)
    if (entry.flight !== null) return entry.flight
    const { state } = entry
    if (state !== null && (isLoginFailure(state) || state.beganMs > seenMs)) return Promise.resolve(state)
    if (state !== null && !state.isRenewable)
      return this.#lose(entry, `The stored credentials of the role ${who} are not accepted.`)
    if (state !== null && nowMs() - state.beganMs >= LASTED_MS) entry.logins = 1
    if (entry.logins >= MAX_LOGINS || entry.renewals >= MAX_RENEWALS) {
      const times = Math.max(entry.logins, entry.renewals + 1)
      return this.#lose(entry, `The role ${who} signed in ${times} times, and lost its session each time.`)
    }
    entry.renewals++
    return this.#login(mechanism, who, entry, false)
  }

  #entryOf({ id }: AuthMechanismView): Entry {
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    const made: Entry = { state: null, logins: 0, renewals: 0, flight: null }
    this.#entries.set(id, made)
    return made
  }

  #lose(entry: Entry, text: string): Promise<SessionState> {
    entry.state = { kind: 'login lost', text }
    this.#deps.note(text)
    return Promise.resolve(entry.state)
  }

  #login(mechanism: AuthMechanismView, who: string, entry: Entry, mayReuse: boolean): Promise<SessionState> {
    entry.flight ??= this.#obtain(mechanism, who, entry, mayReuse)
      .then((state) => {
        entry.state = state
        // What the end of the run cut off says nothing about the role.
        if (isLoginFailure(state)) {
          if (!this.#deps.signal.aborted) this.#deps.note(state.text)
        } else this.#deps.secrets(state.parameters.map(({ value }) => value))
        return state
      })
      .finally(() => {
        entry.flight = null
      })
    return entry.flight
  }

  async #obtain(
    mechanism: AuthMechanismView,
    who: string,
    entry: Entry,
    mayReuse: boolean,
  ): Promise<SessionState> {
    const { keeper } = this.#deps
    const isKept = keeper !== null && mechanismKind(mechanism) === 'LOGIN_REQUEST'
    const kept = isKept && mayReuse ? readKept(await keeper.kept(mechanism.id)) : null
    if (kept !== null) return kept
    entry.logins++
    const state = await beginSession(mechanism, who, this.#deps)
    if (isKept && !isLoginFailure(state))
      await keeper.keep(mechanism.id, JSON.stringify(state satisfies Session), state.expiresAt)
    return state
  }
}

/** A session that an earlier run began; as old as the beginning of this one. */
function readKept(text: string | null): Session | null {
  if (text === null) return null
  const session = JSON.parse(text) as Session
  return Array.isArray(session.parameters) && !hasEnded(session) ? { ...session, beganMs: nowMs() } : null
}
