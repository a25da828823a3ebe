import type { Exchange } from '../../http/index.ts'
import { percentDecoded } from '../../kit/index.ts'
import { MessageView } from '../../rules/index.ts'
import { segmentValues } from './segment-values.ts'

/** Recorded requests of a collection that are looked at. */
const MAX_SAMPLES = 2_000
/** Values of one recorded answer that are looked at. */
const MAX_VALUES = 2_000
/** A shorter value occurs by chance, unless its name says what it names. */
const LEAST_LENGTH = 8
const NAMES_A_THING =
  /(?:^|[_-])(?:id|key|uuid|token|code|number|ref)$|(?:Id|Key|Uuid|Token|Code|Number|Ref)$/

/** A value of a recorded request, and the recorded request whose answer it came from. */
interface Link {
  readonly producer: Exchange
  /** Of the leaf of the answer: `items[0].id`. */
  readonly path: string
  /** As it was recorded. */
  readonly value: string
}

interface Source {
  readonly producer: Exchange
  readonly path: string
}

/** Name of a recorded request: what comes twice is one. */
export function requestName({ request }: Exchange): string {
  return `${request.method} ${request.target}`
}

/**
 * Which recorded requests of a collection carry values that others of it answered: ids in paths, queries and bodies,
 * tokens in headers. Found only by comparing the recorded values.
 */
export class Dependencies {
  readonly #samples: readonly Exchange[]
  readonly #sources = new Map<string, Source[]>()

  constructor(samples: readonly Exchange[]) {
    this.#samples = samples.slice(0, MAX_SAMPLES)
    for (const producer of this.#samples) {
      if (producer.response.status >= 300) continue
      for (const { key, path, value } of new MessageView(producer).responseBody.leaves.slice(0, MAX_VALUES)) {
        const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
        if (text.length < LEAST_LENGTH && !(text !== '' && NAMES_A_THING.test(key))) continue
        const known = this.#sources.get(text)
        if (known === undefined) this.#sources.set(text, [{ producer, path }])
        else known.push({ producer, path })
      }
    }
  }

  /** Where the values of a request came from; values that no other request answered have no link. */
  linksOf(consumer: Exchange): Link[] {
    const own = requestName(consumer)
    return valuesOf(consumer).flatMap((value): Link[] => {
      const sources = (this.#sources.get(value) ?? []).filter(
        ({ producer }) => requestName(producer) !== own && !valuesOf(producer).includes(value),
      )
      const best = sources.toSorted(
        (a, b) => nearness(consumer, b.producer) - nearness(consumer, a.producer),
      )[0]
      return best === undefined ? [] : [{ ...best, value }]
    })
  }

  /** Names of the requests that carry a value which this one answered, also by way of others. */
  dependentsOf(producer: Exchange): Set<string> {
    const found = new Set<string>()
    const waiting = [requestName(producer)]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      for (const sample of this.#samples) {
        const own = requestName(sample)
        if (found.has(own) || !this.linksOf(sample).some((link) => requestName(link.producer) === name))
          continue
        found.add(own)
        waiting.push(own)
      }
    }
    return found
  }

  /** The recorded request that reads what this one is about: the same path, else the longest one that it begins with. */
  readerOf(sample: Exchange): Exchange | null {
    const path = pathOf(sample)
    const readers = this.#samples.filter((one) => {
      const own = pathOf(one)
      // A slash follows, the colon of a custom verb, or an ending.
      const rest = path.slice(own.length)
      return one.request.method === 'GET' && path.startsWith(own) && /^(?:[/:]|\.\w+$|$)/.test(rest)
    })
    return readers.toSorted((a, b) => pathOf(b).length - pathOf(a).length)[0] ?? null
  }
}

/** Every value of a request that can have come from an answer; each once. */
function valuesOf(sample: Exchange): string[] {
  const view = new MessageView(sample)
  const segments = pathOf(sample).split('/').flatMap(segmentValues).map(percentDecoded)
  const cookies = view.requestHeaders.flatMap(({ name, values }) =>
    name === 'cookie'
      ? values.flatMap((value) => value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1)))
      : [],
  )
  const headers = view.requestHeaders.flatMap(({ values }) =>
    values.flatMap((value) => [value, value.split(' ').at(-1)!]),
  )
  const leaves = view.requestBody.leaves.map(({ value }) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '',
  )
  const all = [...segments, ...view.query.map(({ value }) => value), ...leaves]
  // A header is not a place for ids of a few digits: they are there by chance.
  const long = [...headers, ...cookies].filter((value) => value.length >= LEAST_LENGTH)
  return [...new Set([...all, ...long])].filter((value) => value !== '')
}

/** Requests that make things are likelier sources than lists of them, and those of the same resource than others. */
function nearness(consumer: Exchange, producer: Exchange): number {
  const own = pathOf(consumer).split('/')
  const other = pathOf(producer).split('/')
  const shared = own.findIndex((segment, i) => segment !== other[i])
  return (shared < 0 ? own.length : shared) * 2 + (producer.request.method === 'POST' ? 1 : 0)
}

function pathOf({ request }: Exchange): string {
  return URL.canParse(request.target) ? new URL(request.target).pathname : request.target.split('?', 1)[0]!
}
