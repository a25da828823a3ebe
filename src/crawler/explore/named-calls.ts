import { harmOf } from '../../http/harmful-words.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { WorkKind } from './frontier.ts'
import type { Candidate } from './harvest.ts'
import { type Literals, type ObservedPaths, segmentsOf } from './observed-paths.ts'
import type { ScriptEndpoint } from './static/found-in-text.ts'

/** Calls kept. */
const MOST = 3_000
/**
 * Shares of the budget after which calls are asked for that read, that write, and the rest: what destroys, and what nobody
 * knows parameters for. Pages send better ones, and what is destroyed here may be what they need.
 */
const STEPS = [0.4, 0.7, 0.85]

/** What asking needs of a crawl. */
type AskingCrawl = Pick<CrawlContext, 'harvest' | 'knowledge' | 'options'>

/** A call that a script names. */
interface NamedCall {
  readonly method: string
  readonly template: readonly string[]
  readonly bodyKeys: readonly string[] | null
  /** A script sends it; else it only speaks of its path, which may be that of a page. */
  readonly isCall: boolean
  readonly origin: string
  readonly scriptUrl: string
}

/**
 * Calls that scripts name and that cannot be sent as they stand: their paths have parameters, or may belong below the
 * address of an API that the script keeps elsewhere. They wait until pages have asked for enough to tell both.
 */
export class NamedCalls {
  readonly #waiting = new Map<string, NamedCall>()
  readonly #literals = new Map<string, Set<string>>()
  #step = 0
  /** Calls that were queued and not taken. */
  #queued = 0

  /** Takes a call in. `pageUrl`: the page that loaded the script. */
  add({ method, url, bodyKeys, isCall }: ScriptEndpoint, pageUrl: string, scriptUrl: string): void {
    const rooted = /^(?:https?:)?\/\//.test(url) ? url : `/${url.replace(/^\.{0,2}\//, '')}`
    if (!URL.canParse(rooted, pageUrl) || this.#waiting.size >= MOST) return
    const { origin } = new URL(rooted, pageUrl)
    const path = rooted.replace(/^(?:https?:)?\/\/[^/]*/, '').replace(/[?#].*$/s, '')
    const template = segmentsOf(path.replace(/(?<=\/)(?::[A-Za-z_]\w*|\{[\w-]+\})(?=\/|$)/g, '{}'))
    // What stands below something else can only be asked for with it.
    if (template.length === 0 || template[0]!.includes('{}') || path.includes('*')) return
    const key = `${method} ${origin}/${template.join('/')}`
    const known = this.#waiting.get(key)
    const isBetter =
      known === undefined || (isCall && !known.isCall) || (known.bodyKeys === null && bodyKeys !== null)
    if (isBetter) this.#waiting.set(key, { method, template, bodyKeys, isCall, origin, scriptUrl })
    template.forEach((segment, at) => {
      if (segment.includes('{}')) return
      const prefix = template.slice(0, at).join('/')
      const beside = this.#literals.get(prefix) ?? new Set<string>()
      this.#literals.set(prefix, beside.add(segment))
    })
  }

  /**
   * Queues what is asked for by now.
   *
   * @param share of the budget that is spent
   */
  async ask(crawl: AskingCrawl, share: number): Promise<void> {
    const step = STEPS.filter((from) => share > from).length
    if (step > this.#step) await this.#ask(crawl, step)
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
    const reads = await harvest.take(this.release(knowledge.paths, step))
    const writes = options.mode === 'full' && step >= 2 ? await harvest.releaseWrites() : 0
    this.#queued += reads + writes
    return reads + writes
  }

  /** Kinds of work in the order in which they are taken: what was queued here is quickly done, and comes first. */
  before(order: readonly WorkKind[]): readonly WorkKind[] {
    if (this.#queued === 0) return order
    this.#queued--
    return ['probe', ...order.filter((kind) => kind !== 'probe')]
  }

  /** Calls of a step that can be sent by now, each once. */
  release(paths: ObservedPaths, step: number): Candidate[] {
    const bases = this.#basesOf(paths)
    const literals: Literals = (prefix) => this.#literals.get(prefix.join('/')) ?? new Set()
    const released: Candidate[] = []
    for (const [key, call] of this.#waiting) {
      if (stepOf(call) > step) continue
      const { base, depth } = baseOf(call, bases, paths)
      const known = paths.resolve(call.template, base, literals)
      if (known === null && step < STEPS.length) continue
      this.#waiting.delete(key)
      if (!call.isCall && depth === 0) continue
      const path = known ?? `${base}/${call.template.join('/').replaceAll('{}', '1')}`
      released.push({
        url: call.origin + path,
        origin: 'script',
        use: 'endpoint',
        method: call.method,
        bodyKeys: call.bodyKeys,
        isKnown: known !== null,
        sourceUrl: call.scriptUrl,
        sourceXpath: '',
        text: '',
      })
    }
    return released
  }

  /** Where the paths of calls begin, those first below which most of them were asked for. */
  #basesOf(paths: ObservedPaths): string[] {
    const scored = paths.bases.map((base) => {
      const score = [...this.#waiting.values()].filter(
        ({ template }) => paths.depthOf(template, base) === template.length,
      ).length
      return { base, score }
    })
    return scored
      .filter(({ base, score }) => base === '' || score > 0)
      .sort((left, right) => right.score - left.score)
      .map(({ base }) => base)
  }
}

/** The step in which a call is asked for. */
function stepOf({ method, template }: NamedCall): number {
  if (method === 'GET' || method === 'HEAD') return 1
  return method === 'DELETE' || harmOf(template.join('/')) !== null ? STEPS.length : 2
}

/** The base below which most of a call's path was asked for, and how many segments of it. */
function baseOf(
  { template }: NamedCall,
  bases: readonly string[],
  paths: ObservedPaths,
): { readonly base: string; readonly depth: number } {
  let best = { base: bases[0] ?? '', depth: 0 }
  for (const base of bases) {
    const depth = paths.depthOf(template, base)
    if (depth > best.depth) best = { base, depth }
  }
  return best
}
