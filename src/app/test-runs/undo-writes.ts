import type { Exchange } from '../../http/index.ts'
import { Sender, TargetScope } from '../../http/sender/index.ts'
import { Failure, type Log, reportError } from '../../kit/index.ts'
import {
  type Caller,
  type DueWrite,
  exchangeOf,
  forgetWrite,
  IdentifiedSend,
  outgoingRequest,
  postponeWrite,
  type RequestDraft,
  releaseWrites,
  takeDueWrites,
  undoWrite,
} from '../../testing/index.ts'
import { ownMark } from '../self-traffic-marker.ts'
import type { RunDeps } from './execute-run.ts'
import { RenewedRoles } from './renewed-roles.ts'

/** How long undoing one write may take. */
const UNDO_LIMIT_MS = 60_000
/** Writes in a row whose target did not answer, after which the others wait for later tries. */
const MOST_UNANSWERED = 3
/** Statuses that a request gets whose session has ended. */
const REFUSALS = new Set([401, 403])

/**
 * Undoes what tests wrote and their process did not undo: it was killed, or the target did not answer. Any process of
 * the store does it.
 */
export class UndoWrites {
  readonly #deps: RunDeps & { readonly log: Log }
  readonly #stop = new AbortController()
  readonly #finishing = new Map<string, Promise<void> | 'done'>()
  #looking: Promise<void> | null = null

  constructor(deps: RunDeps & { readonly log: Log }) {
    this.#deps = deps
  }

  /** Where no other process can be at work, what the last one left behind is undone at once. */
  async begin(): Promise<void> {
    if (this.#deps.store.kind === 'embedded') await releaseWrites(this.#deps.store)
  }

  /** Undoes what nobody holds any more, in the background. */
  wake(): void {
    if (this.#stop.signal.aborted) return
    this.#looking ??= this.#undoAll(null).finally(() => {
      this.#looking = null
    })
  }

  /** Whether everything that an execution wrote was undone, or tried; begins with it where it was not. */
  isFinished(summaryId: string, onDone: () => void): boolean {
    const known = this.#finishing.get(summaryId)
    if (known === 'done') {
      this.#finishing.delete(summaryId)
      return true
    }
    if (known !== undefined) return false
    const work = this.#undoAll(summaryId).then(() => {
      this.#finishing.set(summaryId, 'done')
      onDone()
    })
    this.#finishing.set(summaryId, work)
    return false
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all([this.#looking, ...this.#finishing.values()])
  }

  /** @param summaryId null for every execution; a failure is in the log, and the writes stay for the next look */
  async #undoAll(summaryId: string | null): Promise<void> {
    const tried: string[] = []
    const ended = summaryId === null ? null : { summaryId, tried }
    const roles = new Map<string, RenewedRoles>()
    let unanswered = 0
    try {
      for (;;) {
        const due = await takeDueWrites(this.#deps.store, this.#deps.sealer, ended)
        if (due.length === 0) return
        tried.push(...due.map(({ write }) => write.id))
        for (const one of due) {
          if (this.#stop.signal.aborted) return
          unanswered = (await this.#undo(one, this.#rolesOf(one, roles))) ? 0 : unanswered + 1
          // The end of the execution does not wait for a target that is away.
          if (ended !== null && unanswered >= MOST_UNANSWERED) return
        }
      }
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.#deps.log.warn('part.failed', { part: 'undoing writes', error: reportError(error) })
    } finally {
      for (const one of roles.values()) await one.close()
    }
  }

  /** Roles sign in once for all writes of an execution. */
  #rolesOf({ write, runId, summaryId, user }: DueWrite, known: Map<string, RenewedRoles>): RenewedRoles {
    const made =
      known.get(summaryId) ??
      new RenewedRoles(this.#deps, {
        purpose: { kind: 'test', runId, summaryId, testId: null, user },
        hosts: hostsOf(write),
        origin: write.loginOrigin ?? null,
        signal: this.#stop.signal,
      })
    known.set(summaryId, made)
    return made
  }

  /** @returns false where the target did not answer */
  async #undo({ write, runId, summaryId, user }: DueWrite, roles: RenewedRoles): Promise<boolean> {
    const { store, sealer, own, allowed, verifiesTls, audit, requestsPerMinute } = this.#deps
    const sender = new Sender({
      scope: new TargetScope(hostsOf(write), own, allowed),
      requestsPerMinute,
      verifiesTls,
      audit,
    })
    const identified = new IdentifiedSend(sender)
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(UNDO_LIMIT_MS)])
    const purpose = { kind: 'test', runId, summaryId, testId: null, user } as const
    const ask = async (draft: RequestDraft): Promise<Exchange> => {
      const request = outgoingRequest(draft)
      const headers = [...request.headers, 'x-vigil-test', ownMark(sealer)]
      const options = { followRedirects: false, signal, purpose }
      const { response } = await identified.send({ ...request, headers }, options, draft.identity)
      return exchangeOf(request, response)
    }
    const send = async (draft: Caller): Promise<Exchange> => {
      const answer = await ask(draft)
      if (draft.role === undefined || !REFUSALS.has(answer.response.status)) return answer
      const fresh = await roles.renewed(draft, draft.role)
      return fresh === null ? answer : ask(fresh)
    }
    try {
      const problem = await undoWrite(write, send)
      await (problem === null ? forgetWrite(store, write.id) : postponeWrite(store, write.id, problem))
      return true
    } catch (error) {
      if (!(error instanceof Failure) || this.#stop.signal.aborted) throw error
      await postponeWrite(store, write.id, `the target did not answer (${error.code})`)
      return false
    } finally {
      await sender.close()
    }
  }
}

/** Hosts that undoing a write sends to. */
function hostsOf(write: DueWrite['write']): string[] {
  const urls = [write.url, ...(write.kind === 'PASSWORD' ? [write.signIn.url] : [])]
  return urls.map((url) => new URL(url).host)
}
