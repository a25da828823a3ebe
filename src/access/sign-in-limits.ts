import { Failure, networkOf, nowMs } from '../kit/index.ts'
import {
  type CountedAttempt,
  FAILURE_WINDOW_MS,
  type SeenFailures,
  type SharedFailures,
} from './shared-failures.ts'

/** Failures of an account without a wait, over all networks. */
const FREE_FAILURES = 10
/** Accounts that may fail from one network without a wait; people behind one proxy mistype, too. */
const FREE_ACCOUNTS = 30
const FAILURES_OF_NEW_NETWORK = 3
const MAX_WAIT_SECONDS = { knownNetwork: 900, newNetwork: 30, network: 10 } as const
const MAX_KEYS = 50_000

/** Who tries to sign in, and from where. */
export interface Attempt {
  /** The login as it was typed, in lower case; it need not exist. */
  readonly account: string
  /** Network address. */
  readonly address: string
  /** Id of a browser in which the account signed in before; null for others. */
  readonly device: string | null
}

/** Takes an attempt out of the counts: it was not a failure. */
export type WasNoFailure = () => Promise<void>

/**
 * Slows down guessing without closing accounts or addresses, so that nobody can lock others out:
 *
 * - A browser in which the account signed in before has its own ten failures an hour.
 * - Everyone else waits after ten failures of the account, from wherever they came: 1 s, 2 s, 4 s, … after the last
 *   one. The wait ends at 30 s for networks with less than three of these failures, at 15 minutes for the others.
 * - After failures of thirty different accounts, a network waits up to 10 s after the last one.
 *
 * Nothing depends on whether an account exists. IPv6 addresses count by their /64 network, which is what one customer
 * has. Each process counts what it let through, at no cost for what it refuses; of 50,000 accounts or networks the one
 * that was quiet longest is forgotten. What it lets through counts for the other processes of the store, too.
 */
export class SignInLimits {
  readonly #local = new LocalFailures()
  readonly #shared: SharedFailures | null

  /** @param shared null where this is the only process */
  constructor(shared: SharedFailures | null) {
    this.#shared = shared
  }

  /**
   * Takes one attempt; it counts as a failure until the returned function says that it was none. Taking before the
   * outcome is known keeps many simultaneous attempts from slipping through.
   *
   * @throws Failure TOO_MANY_REQUESTS with `retryAfterSeconds`
   */
  async take({ account, address, device }: Attempt): Promise<WasNoFailure> {
    const attempt = { atMs: nowMs(), account, network: networkOf(address), device }
    const kept = judged(attempt, this.#local.seen(attempt))
    const forget = this.#local.add(kept)
    if (this.#shared === null) return async () => forget()
    try {
      const release = await this.#shared.take(attempt, (seen) => judged(attempt, seen))
      return async () => {
        forget()
        await release()
      }
    } catch (error) {
      forget()
      throw error
    }
  }
}

/**
 * The attempt as it is to be counted: for its device alone while that has failures left.
 *
 * @throws Failure TOO_MANY_REQUESTS
 */
function judged(attempt: CountedAttempt, seen: SeenFailures): CountedAttempt {
  if (attempt.device !== null && seen.ofDevice < FREE_FAILURES) return attempt
  const limit =
    seen.ofAccountHere < FAILURES_OF_NEW_NETWORK ? MAX_WAIT_SECONDS.newNetwork : MAX_WAIT_SECONDS.knownNetwork
  const waitMs = Math.max(
    waitAfter(seen.lastOfAccountMs, seen.ofAccount - FREE_FAILURES, limit, attempt.atMs),
    waitAfter(seen.lastHereMs, seen.accountsHere - FREE_ACCOUNTS, MAX_WAIT_SECONDS.network, attempt.atMs),
  )
  if (waitMs > 0) throw new Failure('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  return { ...attempt, device: null }
}

/** Milliseconds left of 2^`excess` seconds after the last failure; none below zero. */
function waitAfter(lastMs: number | null, excess: number, maxSeconds: number, atMs: number): number {
  if (lastMs === null || excess < 0) return 0
  return lastMs + Math.min(2 ** excess, maxSeconds) * 1000 - atMs
}

/** Failures of the last hour that this process let through. */
class LocalFailures {
  readonly #devices = new FailureLog()
  readonly #accounts = new FailureLog()
  readonly #networks = new FailureLog()

  seen({ account, network, device }: CountedAttempt): SeenFailures {
    const ofAccount = this.#accounts.recent(account)
    const here = this.#networks.recent(network)
    return {
      ofDevice: device === null ? 0 : this.#devices.recent(device).length,
      ofAccount: ofAccount.length,
      ofAccountHere: ofAccount.filter((failure) => failure.network === network).length,
      lastOfAccountMs: ofAccount.at(-1)?.atMs ?? null,
      accountsHere: new Set(here.map((failure) => failure.account)).size,
      lastHereMs: here.at(-1)?.atMs ?? null,
    }
  }

  /** @returns a function that removes it again */
  add(attempt: CountedAttempt): () => void {
    const { account, network, device } = attempt
    if (device !== null) return this.#devices.add(device, attempt)
    const undo = [this.#accounts.add(account, attempt), this.#networks.add(network, attempt)]
    return () => {
      for (const remove of undo) remove()
    }
  }
}

/** Failures of the last hour by key, oldest first. */
class FailureLog {
  readonly #failures = new Map<string, CountedAttempt[]>()

  recent(key: string): readonly CountedAttempt[] {
    const since = nowMs() - FAILURE_WINDOW_MS
    return (this.#failures.get(key) ?? []).filter(({ atMs }) => atMs > since)
  }

  /** @returns a function that removes it again */
  add(key: string, failure: CountedAttempt): () => void {
    const recent = [...this.recent(key), failure]
    this.#failures.delete(key)
    this.#failures.set(key, recent)
    if (this.#failures.size > MAX_KEYS) this.#failures.delete(this.#failures.keys().next().value!)
    return () => {
      const left = (this.#failures.get(key) ?? []).filter((other) => other !== failure)
      if (left.length > 0) this.#failures.set(key, left)
      else this.#failures.delete(key)
    }
  }
}
