import { type LiveExchange, LiveReader, requestHeaderOf } from '../../http/index.ts'
import { actorRules } from '../actors/actor-rules.ts'
import { evaluateMessage } from '../evaluate/evaluate-message.ts'
import { FilterSet } from '../evaluate/filter-set.ts'
import { compileFilter, problemText } from '../filters/compile-filter.ts'
import type { Filter } from '../filters/filter.ts'
import type { DetectionTools } from './detect-batch.ts'
import type { DetectionSetup } from './worker-messages.ts'

/** Of what is only counted most is never stored. */
const COUNTED_EVIDENCE = 1

/** Tools made of a setup, and what is wrong with it. */
interface OpenedTools {
  readonly tools: DetectionTools
  readonly filters: number
  /** Filters that cannot be used, each with its place and remedy. */
  readonly problems: readonly string[]
}

/**
 * Compiles filters and opens what finding actors needs; filters that cannot be used are left out.
 *
 * @param live reader of live batches, which outlasts a setup because its memory is large
 */
export function openTools(
  { filters, actors, ownMark, collections }: DetectionSetup,
  live = new LiveReader(),
): OpenedTools {
  const usable: Filter[] = []
  const problems: string[] = []
  for (const { id, content } of filters) {
    const compiled = compileFilter(content)
    if (compiled.filter !== null) usable.push(compiled.filter)
    else problems.push(`${id}: ${compiled.problems.map(problemText).join(' ')}`)
  }
  const set = new FilterSet(usable)
  const tools = {
    live,
    evaluate: (message: Parameters<DetectionTools['evaluate']>[0]) =>
      evaluateMessage(set, message, COUNTED_EVIDENCE),
    actors: actorRules(actors),
    ownMark,
    collectionOf: collectionFinder(new Map(collections)),
  }
  return { tools, filters: usable.length, problems }
}

/** The collection of the host that a message names, as the inventory writes hosts; 0 when there is none yet. */
function collectionFinder(byHost: ReadonlyMap<string, number>): (exchange: LiveExchange) => number {
  if (byHost.size === 0) return () => 0
  return (exchange) => {
    const { target } = exchange.request
    const authority = /^[a-z][a-z0-9+.-]{0,15}:\/\/([^/?#]{1,300})/i.exec(target)?.[1]
    const host = (
      authority ??
      requestHeaderOf(exchange, 'host') ??
      requestHeaderOf(exchange, ':authority') ??
      ''
    ).toLowerCase()
    return byHost.get(host) ?? byHost.get(host.replace(/:(?:80|443)$/, '')) ?? 0
  }
}
