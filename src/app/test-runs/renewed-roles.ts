import { rightsOf } from '../../access/rights.ts'
import type { SendPurpose } from '../../http/sender/index.ts'
import { nowMs } from '../../kit/index.ts'
import {
  Callers,
  exchangeOf,
  outgoingRequest,
  type RequestDraft,
  replaceCredentials,
} from '../../testing/index.ts'
import type { RunDeps } from './execute-run.ts'
import { namesIn } from './run-credentials.ts'
import { openIdentities, type RunIdentities } from './run-identities.ts'

/** Where roles sign in again, and for whom. */
interface SignInPlace {
  readonly purpose: SendPurpose & Record<'runId' | 'summaryId' | 'user', string>
  readonly hosts: readonly string[]
  /** Of logins that name none; null: they go nowhere. */
  readonly origin: string | null
  readonly signal: AbortSignal
}

/** Roles that sign in again after their execution: their sessions may have ended, and what they wrote is to be undone. */
export class RenewedRoles {
  readonly #deps: RunDeps
  readonly #place: SignInPlace
  #opened: Promise<RunIdentities> | null = null
  /** Roles that have signed in again: another refusal is not that of a session. */
  readonly #renewed = new Set<string>()

  constructor(deps: RunDeps, place: SignInPlace) {
    this.#deps = deps
    this.#place = place
  }

  /**
   * A request of a role with another session than it carries; null where the role is gone or cannot sign in.
   * @throws Failure SEND_STOPPED when there is no time left
   */
  async renewed(draft: RequestDraft, role: string): Promise<RequestDraft | null> {
    this.#opened ??= this.#open()
    const { credentials } = await this.#opened
    const sample = exchangeOf(outgoingRequest(draft), { status: 0, reason: '', headers: [], body: '' })
    const endpoint = { collectionId: 0, method: draft.method, url: draft.url }
    if (!this.#renewed.has(role)) {
      this.#renewed.add(role)
      await credentials.begin([role])
      // The session that was kept may be the one that was refused.
      if (credentials.roleOf(draft) === role) await credentials.renew(role, endpoint, sample, nowMs())
    }
    const parameters = credentials.sourceFor(endpoint, sample).parametersOf(role)
    const fresh = { ...draft }
    return parameters !== null && replaceCredentials(fresh, parameters) > 0 ? fresh : null
  }

  async close(): Promise<void> {
    await this.#opened?.then(
      (opened) => opened.close(),
      () => {}, // it was not opened, and who asked has heard why
    )
  }

  async #open(): Promise<RunIdentities> {
    const { purpose, hosts, origin, signal } = this.#place
    const owner = await rightsOf(this.#deps.store, purpose.user)
    const { runId, summaryId } = purpose
    const note = (problem: string): void => this.#deps.note(runId, summaryId, problem)
    // Nothing of what is undone becomes evidence.
    const secrets = (): void => {}
    return openIdentities(
      { ...this.#deps, note, secrets, callers: new Callers(namesIn) },
      { roleId: null, purpose, origin, owner },
      new Set(hosts),
      signal,
    )
  }
}
