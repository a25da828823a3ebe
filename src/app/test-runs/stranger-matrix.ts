import { Failure } from '../../kit/index.ts'
import type { ConditionEndpoint, Lookups } from '../../rules/index.ts'
import type { Store } from '../../store/index.ts'
import { type EndpointKey, type SessionTools, statusAsStranger, type Template } from '../../testing/index.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD'])
/** Requests that one run sends to learn who refuses strangers. */
const MAX_ASKED = 500
const AT_ONCE = 8
/** Guarded siblings that make a habit, and their least share of those that were asked. */
const FEWEST_GUARDED = 2
const LEAST_SHARE = 0.6

/** Whether an endpoint that only reads answers requests without credentials. */
interface Asked {
  readonly endpoint: EndpointKey
  readonly isGuarded: boolean
}

/** Which endpoints refuse strangers, and which were only ever called with credentials. */
class StrangerMatrix {
  readonly #asked: readonly Asked[]
  readonly #alwaysSigned: ReadonlySet<string>

  /** @param alwaysSigned keys of endpoints whose recorded calls carried credentials */
  constructor(asked: readonly Asked[], alwaysSigned: ReadonlySet<string>) {
    this.#asked = asked
    this.#alwaysSigned = alwaysSigned
  }

  /**
   * Siblings that refuse strangers, where that is the habit around the endpoint: at least two and most of those below
   * the nearest common path. None where the endpoint itself was called without credentials.
   */
  guardedSiblingsOf(endpoint: ConditionEndpoint): string[] {
    if (!this.#alwaysSigned.has(keyOf(endpoint))) return []
    const others = this.#asked.filter(
      (one) => one.endpoint.collectionId === endpoint.collectionId && keyOf(one.endpoint) !== keyOf(endpoint),
    )
    for (let parent = parentOf(endpoint.url); parent !== ''; parent = parentOf(parent)) {
      const near = others.filter((one) => one.endpoint.url.startsWith(`${parent}/`))
      const guarded = near.filter(({ isGuarded }) => isGuarded)
      if (guarded.length >= FEWEST_GUARDED)
        return guarded.length >= near.length * LEAST_SHARE
          ? guarded.map((one) => `${one.endpoint.method} ${one.endpoint.url}`)
          : []
    }
    const guarded = others.filter(({ isGuarded }) => isGuarded)
    return guarded.length >= FEWEST_GUARDED && guarded.length >= others.length * LEAST_SHARE
      ? guarded.map((one) => `${one.endpoint.method} ${one.endpoint.url}`)
      : []
  }
}

/** The path without its last segment; '' at the top. */
function parentOf(url: string): string {
  const cut = url.lastIndexOf('/')
  return cut <= 0 || url.slice(0, cut).endsWith(':/') ? '' : url.slice(0, cut)
}

function keyOf({ collectionId, method, url }: ConditionEndpoint): string {
  return `${collectionId} ${method} ${url}`
}

/**
 * Asks endpoints that only read, and whose sample carries credentials, without them; once, where a test of the run
 * wants to know.
 *
 * @throws Failure SEND_STOPPED when the run ended meanwhile
 */
export async function openStrangerMatrix(
  store: Store,
  { endpoints, templates }: { endpoints: readonly EndpointKey[]; templates: Iterable<Template> },
  tools: SessionTools,
): Promise<StrangerMatrix> {
  const isAsked = [...templates].some(({ needs }) => needs.some(({ kind }) => kind === 'stranger matrix'))
  if (!isAsked) return new StrangerMatrix([], new Set())
  const collections = [...new Set(endpoints.map(({ collectionId }) => collectionId))]
  const { rows } = await store.pool.query<ConditionEndpoint>(
    `SELECT collection_id AS "collectionId", method, url FROM endpoints
     WHERE is_listed AND collection_id = ANY ($1::integer[]) AND cardinality(actual_auth_types) > 0
       AND 'UNAUTHENTICATED' <> ALL (actual_auth_types)`,
    [collections],
  )
  return new StrangerMatrix(await ask(endpoints, tools), new Set(rows.map(keyOf)))
}

async function ask(endpoints: readonly EndpointKey[], tools: SessionTools): Promise<Asked[]> {
  const waiting = endpoints.filter(({ method }) => SAFE_METHODS.has(method)).slice(0, MAX_ASKED)
  const asked: Asked[] = []
  const work = async (): Promise<void> => {
    for (let endpoint = waiting.shift(); endpoint !== undefined; endpoint = waiting.shift()) {
      const status = await statusOf(endpoint, tools)
      if (status === 401 || status === 403) asked.push({ endpoint, isGuarded: true })
      else if (status !== null && status >= 200 && status <= 299) asked.push({ endpoint, isGuarded: false })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return asked
}

async function statusOf(endpoint: EndpointKey, tools: SessionTools): Promise<number | null> {
  try {
    return await statusAsStranger(endpoint, tools)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    return null // a host that does not answer says nothing
  }
}

/** Look-ups with the answers of a matrix. */
export function withStrangers(lookups: Lookups, matrix: StrangerMatrix): Lookups {
  return { ...lookups, guardedSiblingsOf: (endpoint) => matrix.guardedSiblingsOf(endpoint) }
}
