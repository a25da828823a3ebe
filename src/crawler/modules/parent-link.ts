import { Failure } from '../../kit/index.ts'
import type { Frontier, FrontierCounts, LeasedItem } from '../explore/frontier.ts'
import type { CrawlLink, LinkSignal } from './crawl-link.ts'
import type { LinkMethod, ParentMessage, WorkerMessage } from './worker-protocol.ts'

interface Asked {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The link of a worker process: each call is a message to the parent process and back. */
export class ParentLink implements CrawlLink {
  readonly frontier: Frontier
  readonly #send: (message: WorkerMessage) => void
  readonly #asked = new Map<number, Asked>()
  #last = 0

  constructor(send: (message: WorkerMessage) => void) {
    this.#send = send
    this.frontier = {
      add: (items) => this.#call<number>('add', items),
      take: (kind) => this.#call<LeasedItem | null>('take', kind),
      renew: (id) => this.#call<void>('renew', id),
      done: (id) => this.#call<void>('done', id),
      putBack: (id, change) => this.#call<void>('putBack', id, change),
      fail: (id, reason) => this.#call<boolean>('fail', id, reason),
      counts: () => this.#call<FrontierCounts>('counts'),
    }
  }

  /** Takes an answer of the parent. */
  heard(message: ParentMessage): void {
    if (message.kind === 'begin') return
    const asked = this.#asked.get(message.id)
    if (asked === undefined) return
    this.#asked.delete(message.id)
    if (message.kind === 'answer') asked.resolve(message.value)
    else if (message.code === null) asked.reject(new Error(message.message))
    else asked.reject(new Failure(message.code, message.details))
  }

  deliver: CrawlLink['deliver'] = (batch) => this.#call('deliver', batch)
  exchange: CrawlLink['exchange'] = (since, news) => this.#call('exchange', since, news)
  idle: CrawlLink['idle'] = (isIdle) => this.#call('idle', isIdle)
  beat: CrawlLink['beat'] = (activeMs) => this.#call<LinkSignal | null>('beat', activeMs)
  frame: CrawlLink['frame'] = (frame) => this.#call('frame', frame)
  takeCodeStep: CrawlLink['takeCodeStep'] = (digest, step) => this.#call<number>('takeCodeStep', digest, step)
  alone: CrawlLink['alone'] = () => this.#call<void>('alone')
  loggedIn: CrawlLink['loggedIn'] = (error) => this.#call('loggedIn', error)

  #call<T>(method: LinkMethod, ...args: readonly unknown[]): Promise<T> {
    const id = ++this.#last
    return new Promise<T>((resolve, reject) => {
      this.#asked.set(id, { resolve: (value) => resolve(value as T), reject })
      this.#send({ kind: 'call', id, method, args })
    })
  }
}
