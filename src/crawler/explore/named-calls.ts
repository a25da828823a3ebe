import { harmOf } from '../../http/harmful-words.ts'
import { operationInUrl } from '../safety/changing-words.ts'
import { callsBeside } from './calls-beside.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { Frontier, LeasedItem, WorkKind } from './frontier.ts'
import type { Candidate } from './harvest.ts'
import { isWrite, type Knowledge } from './knowledge.ts'
import { segmentTemplate } from './locations.ts'
import { filledQuery, queryNames, splitQuery } from './named-query.ts'
import { type Base, type Literals, type ObservedPaths, segmentsOf } from './observed-paths.ts'
import type { ScriptEndpoint } from './static/found-in-text.ts'

/** Calls kept. */
const MOST = 3_000
/**
 * Shares of the budget after which calls are asked for that read, that write, and the rest: what destroys, and what nobody
 * knows parameters for. Pages send better ones, and what is destroyed here may be what they need.
 */
const STEPS = [0.4, 0.6, 0.75]

/** Share of the time up to which probes come first. */
const MOST_TIME = 0.3

/** What asking needs of a crawl. */
type AskingCrawl = Pick<CrawlContext, 'harvest' | 'knowledge' | 'options'>

/** What traffic has told. */
type Traffic = Pick<Knowledge, 'paths' | 'valueOf' | 'account'>

/** A call that a script names. */
interface NamedCall {
  readonly method: string
  readonly template: readonly string[]
  /** As the script writes it, `{}` for what is not known. */
  readonly query: string
  readonly bodyKeys: readonly string[] | null
  /** A script sends it; else it only speaks of its path, which may be that of a page. */
  readonly isCall: boolean
  readonly origin: string
  /** The script names the host, so that the path is complete. */
  readonly isAbsolute: boolean
  readonly scriptUrl: string
}

/** Where a call may belong, and how many segments of its path were asked for there. */
interface Location {
  readonly base: Base
  readonly depth: number
}

/**
 * Calls that scripts name and that cannot be sent as they stand: their paths have parameters, or may belong below the
 * address of an API that the script keeps elsewhere. They wait until pages have asked for enough to tell both.
 */
export class NamedCalls {
  readonly #waiting = new Map<string, NamedCall>()
  readonly #literals = new Map<string, Set<string>>()
  readonly #isLiteral: Literals = (prefix) => this.#literals.get(prefix.join('/')) ?? new Set()
  /** Paths that scripts call by a method that writes, as templates, with a call of each. */
  readonly #written = new Map<string, NamedCall>()
  /** Requests that nothing names, and that were asked for. */
  readonly #beside = new Set<string>()
  #step = 0
  /** Something was added whose step has begun. */
  #isLate = false
  /** Calls that were queued and not taken. */
  #queued = 0
  /** What traffic had told when calls were released last. */
  #size = 0

  /** Takes a call in. `pageUrl`: the page that loaded the script. */
  add({ method, url, bodyKeys, isCall }: ScriptEndpoint, pageUrl: string, scriptUrl: string): void {
    const isAbsolute = /^(?:https?:)?\/\//.test(url)
    const rooted = isAbsolute ? url : `/${url.replace(/^\.{0,2}\//, '')}`
    if (!URL.canParse(rooted, pageUrl)) return
    const { origin } = new URL(rooted, pageUrl)
    const { path, query } = splitQuery(rooted.replace(/^(?:https?:)?\/\/[^/?#]*/, ''))
    const template = segmentsOf(path.replace(/(?<=\/)(?::[A-Za-z_]\w*\??|\{[\w-]+\})(?=\/|$)/g, '{}'))
    // What stands below something else can only be asked for with it.
    if (template.length === 0 || template[0]!.includes('{}') || path.includes('*')) return
    const key = `${method} ${origin}/${template.join('/')}?${queryNames(query)}`
    const call = { method, template, query, bodyKeys, isCall, origin, isAbsolute, scriptUrl }
    if (isCall && isWrite(method) && this.#written.size < MOST)
      this.#written.set(`${origin}/${template.join('/')}`, call)
    const known = this.#waiting.get(key)
    if (known === undefined && !this.#hasRoom(isCall)) return
    const isBetter =
      known === undefined || (isCall && !known.isCall) || (known.bodyKeys === null && bodyKeys !== null)
    if (isBetter) {
      this.#waiting.set(key, call)
      this.#isLate ||= stepOf(call) <= this.#step
    }
    template.forEach((segment, at) => {
      if (segment.includes('{}')) return
      const prefix = template.slice(0, at).join('/')
      const beside = this.#literals.get(prefix) ?? new Set<string>()
      this.#literals.set(prefix, beside.add(segment))
    })
  }

  /** Whether another call can be kept. One that is sent takes the room of a path that a text only speaks of. */
  #hasRoom(isCall: boolean): boolean {
    if (this.#waiting.size < MOST) return true
    for (const [key, other] of isCall ? this.#waiting : [])
      if (!other.isCall) return this.#waiting.delete(key)
    return false
  }

  /**
   * Queues what is asked for by now.
   *
   * @param share of the budget that is spent
   */
  async ask(crawl: AskingCrawl, share: number): Promise<void> {
    const step = Math.max(this.#step, STEPS.filter((from) => share > from).length)
    // What was asked for in a step may have told values for others of it.
    const hasNews = step > 0 && this.#queued === 0 && crawl.knowledge.paths.size > this.#size
    if (step > this.#step || this.#isLate || hasNews) await this.#ask(crawl, step)
  }

  /** Queues what comes next, where nothing else is left to do. @returns how much; 0 when nothing is left */
  async askNext(crawl: AskingCrawl): Promise<number> {
    let queued = 0
    while (queued === 0 && (this.#step < STEPS.length || this.#waiting.size > 0))
      queued = await this.#ask(crawl, Math.min(STEPS.length, this.#step + 1))
    return queued
  }

  /** Those that write are sent only where anything may be. */
  async #ask({ harvest, knowledge, options }: AskingCrawl, step: number): Promise<number> {
    this.#step = step
    this.#isLate = false
    this.#size = knowledge.paths.size
    const isFull = options.mode === 'full'
    const reads = await harvest.take(this.release(knowledge, step, isFull))
    const beside = isFull && step >= 2 ? await harvest.take(this.releaseBeside(knowledge, step)) : 0
    const writes = isFull && step >= 2 ? await harvest.releaseWrites() : 0
    this.#queued += reads + beside + writes
    return reads + beside + writes
  }

  /** Whether calls were queued that nobody took. */
  get isQueued(): boolean {
    return this.#queued > 0
  }

  /** Takes the next one that was queued; null when none is left. */
  async takeNext(frontier: Pick<Frontier, 'take'>): Promise<LeasedItem | null> {
    return this.#countTaken() ? frontier.take('probe') : null
  }

  /** @returns false where none was queued */
  #countTaken(): boolean {
    if (this.#queued === 0) return false
    this.#queued--
    return true
  }

  /**
   * Kinds of work in the order in which they are taken: what was queued here is quickly done, and comes first, unless the
   * application is so slow that probes have had their share of the time.
   */
  before(order: readonly WorkKind[], probeShare: number): readonly WorkKind[] {
    if (probeShare > MOST_TIME || !this.#countTaken()) return order
    return ['probe', ...order.filter((kind) => kind !== 'probe')]
  }

  /** Calls that still wait, for those who only want to know their names. */
  releaseAll(traffic: Traffic): Candidate[] {
    return this.release(traffic, STEPS.length, true)
  }

  /**
   * Calls of a step that can be sent by now, each once.
   *
   * @param mayChange whether anything may be changed; else nothing is read where a script writes
   */
  release(traffic: Traffic, step: number, mayChange: boolean): Candidate[] {
    const bases = this.#basesOf(traffic.paths)
    const released: Candidate[] = []
    for (const [key, call] of this.#waiting) {
      if (stepOf(call) > step) continue
      const locations = locationsOf(call, bases, traffic.paths)
      const avoids = (before: string, value: string): boolean =>
        isWrite(call.method) && traffic.account.isOwn(before, value)
      const known = locations.map(({ base }) =>
        traffic.paths.resolve(call.template, base, this.#isLiteral, avoids),
      )
      if (known.every((url) => url === null) && step < STEPS.length) continue
      this.#waiting.delete(key)
      if ((!call.isCall && locations[0]!.depth === 0) || (!mayChange && this.#mayWrite(call))) continue
      const query = filledQuery(call.query, (name) => traffic.valueOf(name))
      released.push(
        ...locations.map(({ base }, at) => ({
          url: (known[at] ?? guessOf(call, base)) + query,
          origin: 'script',
          use: 'endpoint' as const,
          method: call.method,
          bodyKeys: call.bodyKeys,
          isKnown: call.isCall && known[at] !== null,
          isLikely: known[at] !== null,
          isMoved: at > 0,
          sourceUrl: call.scriptUrl,
          sourceXpath: '',
          text: '',
        })),
      )
    }
    return released
  }

  /** What most APIs offer beside the calls that write, each once: it is only guessed. What is deleted comes last. */
  releaseBeside({ paths }: Pick<Traffic, 'paths'>, step: number): Candidate[] {
    const bases = this.#basesOf(paths)
    const released: Candidate[] = []
    for (const call of this.#written.values()) {
      const [{ base }] = locationsOf(call, bases, paths) as [Location]
      const urlOf = (template: readonly string[]): string | null =>
        paths.resolve(template, base, this.#isLiteral)
      for (const { method, url } of callsBeside(call.template, urlOf, paths)) {
        if (stepOf({ method, template: call.template }) > step) continue
        // Of each list one entry.
        const key = method === 'POST' ? `POST ${url}` : `${method} ${url.replace(/[^/]*$/, '')}`
        if (this.#beside.has(key)) continue
        this.#beside.add(key)
        const place = { sourceUrl: call.scriptUrl, sourceXpath: '', text: '' }
        released.push({
          ...place,
          url,
          method,
          origin: 'script',
          use: 'endpoint',
          bodyKeys: null,
          isKnown: true,
          isMoved: true,
        })
      }
    }
    return released
  }

  /**
   * Whether a GET may change something: its path asks for an operation on a record (`/flags/beta/archive`), or a script
   * writes to it and never reads it by a call.
   */
  #mayWrite({ method, template, isCall, origin }: NamedCall): boolean {
    if (stepOf({ method, template }) > 1) return false
    const path = template.join('/')
    const url = new URL(`${origin}/${path.replaceAll('{}', '1')}`)
    if (operationInUrl(url, (segment) => segmentTemplate(segment) !== segment) !== null) return true
    return !isCall && this.#written.has(`${origin}/${path}`)
  }

  /** Where the paths of calls begin, those first below which most of them were asked for. */
  #basesOf(paths: ObservedPaths): Base[] {
    const scored = paths.bases.map((base) => {
      const score = [...this.#waiting.values()].filter(
        ({ template }) => paths.depthOf(template, base) === template.length,
      ).length
      return { base, score }
    })
    return scored
      .filter(({ base, score }) => base.path === '' || score > 0)
      .sort((left, right) => right.score - left.score)
      .map(({ base }) => base)
  }
}

/** A call with 1 for its parameters. */
function guessOf({ template }: NamedCall, { origin, path }: Base): string {
  return `${origin}${path}/${template.join('/').replaceAll('{}', '1')}`
}

/** The step in which a call is asked for. */
function stepOf({ method, template }: Pick<NamedCall, 'method' | 'template'>): number {
  if (method === 'GET' || method === 'HEAD') return 1
  return method === 'DELETE' || harmOf(template.join('/')) !== null ? STEPS.length : 2
}

/**
 * The base below which most of a call's path was asked for. Where nothing of it was asked for anywhere, the call as it is
 * written, and below the base of most others.
 */
function locationsOf(
  { template, origin, isAbsolute }: NamedCall,
  bases: readonly Base[],
  paths: ObservedPaths,
): readonly Location[] {
  const written: Base = { origin, path: '' }
  // Not a number where nothing was asked for at that origin.
  let best: Location = { base: written, depth: paths.depthOf(template, written) || 0 }
  if (isAbsolute) return [best]
  for (const base of bases) {
    const depth = paths.depthOf(template, base)
    if (depth > best.depth) best = { base, depth }
  }
  const [first = written] = bases
  if (best.depth > 0 || (first.origin === origin && first.path === '')) return [best]
  return [best, { base: first, depth: 0 }]
}
