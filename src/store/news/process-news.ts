import { BroadcastChannel } from 'node:worker_threads'
import { type News, type NewsTopic, newsTopics } from '../../kit/index.ts'

type Message =
  | { readonly topic: NewsTopic }
  | { readonly quietMs: number }
  /** A thread that joins asks whether changes are notified. */
  | { readonly asks: true }

interface Listener {
  readonly topics: readonly NewsTopic[]
  readonly heard: () => void
}

/**
 * News of one store within a process: what one thread hears, the others hear too. It works without a database that
 * notifies; then nothing comes from outside, and everybody polls.
 */
export class ProcessNews implements News {
  readonly #listeners = new Set<Listener>()
  /** The thread that knows whether the database notifies. */
  readonly #isOwner: boolean
  #channel: BroadcastChannel | null = null
  #quietMs = 0

  constructor(isOwner: boolean) {
    this.#isOwner = isOwner
  }

  get quietMs(): number {
    return this.#quietMs
  }

  /** Connects to the other threads that use this name. */
  join(name: string): void {
    if (this.#channel !== null) return
    const channel = new BroadcastChannel(name)
    channel.onmessage = (event) => this.#take((event as { data: Message }).data)
    channel.unref()
    this.#channel = channel
    if (!this.#isOwner) this.#post({ asks: true })
  }

  on(topics: readonly NewsTopic[], heard: () => void): () => void {
    const listener = { topics, heard }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Passes on what a database notified; anything but a topic comes from a newer version, and is nothing to this one. */
  notified(payload: string): void {
    const topic = newsTopics.find((known) => known === payload)
    if (topic === undefined) return
    this.#dispatch(topic)
    this.#post({ topic })
  }

  /** Says for how long nobody needs to poll from now on; after 0, everything is to be read once. */
  setQuiet(quietMs: number): void {
    if (this.#quietMs === quietMs) return
    this.#post({ quietMs })
    this.#setQuiet(quietMs)
  }

  close(): void {
    this.#listeners.clear()
    this.#channel?.close()
    this.#channel = null
  }

  #take(message: Message): void {
    if ('topic' in message) this.#dispatch(message.topic)
    else if ('quietMs' in message) this.#setQuiet(message.quietMs)
    else if (this.#isOwner) this.#post({ quietMs: this.#quietMs })
  }

  #setQuiet(quietMs: number): void {
    if (this.#quietMs === quietMs) return
    this.#quietMs = quietMs
    if (quietMs > 0) for (const { heard } of this.#listeners) heard()
  }

  #dispatch(topic: NewsTopic): void {
    for (const { topics, heard } of this.#listeners) if (topics.includes(topic)) heard()
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message)
  }
}
