import {
  type ChangeTopic,
  changeHeartbeatSeconds,
  changesPath,
  changeTopics,
  readServerEvents,
} from '../../../contract/browser.ts'

/**
 * How the stream of changes is: `off` without one, `opening` until the first event, `live`, `lost` while the server does
 * not answer, `refused` where this server or a proxy before it gives none.
 */
export type LivePhase = 'off' | 'opening' | 'live' | 'lost' | 'refused'

/** What a connection works with. */
interface LiveDeps {
  readonly fetch: typeof globalThis.fetch
  /** Hears what changed. */
  readonly onChange: (topics: readonly ChangeTopic[]) => void
  /** Hears that anything may have changed: the stream was away for a while. */
  readonly onGap: () => void
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const RETRY_MS = 1_000
const MAX_RETRY_MS = 15_000
const RETRY_REFUSED_MS = 60_000
/** A stream without a sign for so long is dead, whatever the browser believes. */
const SILENCE_MS = 3 * changeHeartbeatSeconds * 1000

/** Listens to the changes that the server tells of, and connects again until it is stopped. */
export class LiveConnection {
  readonly #deps: LiveDeps
  readonly #listeners = new Set<() => void>()
  #phase: LivePhase = 'off'
  #wasLive = false
  #current: AbortController | null = null

  constructor(deps: LiveDeps) {
    this.#deps = deps
  }

  readonly phase = (): LivePhase => this.#phase

  /** Calls back after every change of the phase; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Begins to listen, unless it does. */
  start(): void {
    if (this.#current !== null) return
    this.#current = new AbortController()
    void this.#keep(this.#current.signal)
  }

  /** Stops listening. */
  stop(): void {
    this.#current?.abort()
    this.#current = null
    this.#become('off')
  }

  async #keep(stopped: AbortSignal): Promise<void> {
    const { wait = waitFor } = this.#deps
    for (let failures = 0; !stopped.aborted; ) {
      if (failures === 0) this.#become('opening')
      const outcome = await this.#follow(stopped)
      if (stopped.aborted) return
      failures = outcome === 'ended' ? 0 : failures + 1
      if (outcome !== 'ended') this.#become(outcome)
      const retryMs = Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS)
      await wait(outcome === 'refused' ? RETRY_REFUSED_MS : retryMs, stopped)
    }
  }

  /** Follows one stream to its end. @returns how it ended: after it was live, or before */
  async #follow(stopped: AbortSignal): Promise<'ended' | 'lost' | 'refused'> {
    const silent = new AbortController()
    let silence = setTimeout(() => silent.abort(), SILENCE_MS)
    let isLive = false
    try {
      const signal = AbortSignal.any([stopped, silent.signal])
      const answer = await this.#deps.fetch(changesPath, { signal })
      if (!answer.ok || answer.body === null) return answer.status >= 500 ? 'lost' : 'refused'
      for await (const { name, data } of readServerEvents(answer.body)) {
        clearTimeout(silence)
        silence = setTimeout(() => silent.abort(), SILENCE_MS)
        if (name === 'ready') {
          isLive = true
          this.#begin()
        } else if (name === 'changed') this.#deps.onChange(topicsIn(data))
      }
    } catch {
      // The network, the silence or stop() ended it: what follows is the same.
    } finally {
      clearTimeout(silence)
    }
    return isLive ? 'ended' : 'lost'
  }

  #begin(): void {
    this.#become('live')
    if (this.#wasLive) this.#deps.onGap()
    this.#wasLive = true
  }

  #become(phase: LivePhase): void {
    if (phase === this.#phase) return
    this.#phase = phase
    for (const listener of this.#listeners) listener()
  }
}

/** The topics of an event that this version of the pages knows. */
function topicsIn(data: string): ChangeTopic[] {
  const { topics } = JSON.parse(data) as { topics?: unknown }
  return Array.isArray(topics) ? changeTopics.filter((topic) => topics.includes(topic)) : []
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
