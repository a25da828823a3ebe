import { absoluteUrl, type Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import type { CauseScope, TemplateCause } from '../template/index.ts'
import type { FlowOutcome } from './run-flow.ts'

/** What is to be mended for a finding to go away: findings with the same cause are one issue. */
export interface FindingCause {
  readonly scope: CauseScope
  /** Tests that find the same mistake share it. */
  readonly family: string
  /** The host, or the changed part of the request, such as `query url`; '' where the scope is the endpoint. */
  readonly place: string
}

const MAX_PLACE = 200
/** Headers that every request of a test may change on its own. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'user-agent',
])

/** The cause of a proven finding, read from the request that proved it. */
export function findingCause(
  { scope, family }: TemplateCause,
  { attempts, control }: Pick<FlowOutcome, 'attempts' | 'control'>,
  baseline: Exchange | null,
): FindingCause {
  const proof = (attempts.findLast(({ validates }) => validates) ?? attempts.at(-1))?.exchange ?? baseline
  if (proof === null || scope === 'endpoint' || scope === 'collection') return { scope, family, place: '' }
  if (scope === 'host') return { scope, family, place: hostOf(proof) }
  const unchanged = control?.kind === 'unchanged' ? (control.attempt?.exchange ?? baseline) : baseline
  return { scope, family, place: unchanged === null ? '' : changedPart(unchanged, proof) }
}

function hostOf({ request }: Exchange): string {
  const url = absoluteUrl(request)
  return URL.canParse(url) ? new URL(url).host.slice(0, MAX_PLACE) : ''
}

/**
 * The part of a request that differs from another: changed query parameters and body fields, else the path, else
 * headers; several in the order of their names.
 */
export function changedPart(before: Exchange, after: Exchange): string {
  const old = new MessageView(before)
  const now = new MessageView(after)
  const named = [
    ...changedNames(old.query, now.query).map((name) => `query ${name}`),
    ...changedNames(bodyFields(old), bodyFields(now)).map((name) => `body ${name}`),
  ]
  if (named.length === 0 && pathOf(old) !== pathOf(now)) named.push('path')
  if (named.length === 0) {
    const headers = changedNames(headersOf(old), headersOf(now))
    named.push(...headers.filter((name) => !OWN_HEADERS.has(name)).map((name) => `header ${name}`))
  }
  return named.join(', ').replaceAll('\0', '').slice(0, MAX_PLACE)
}

interface Pair {
  readonly name: string
  readonly value: unknown
}

function changedNames(before: readonly Pair[], after: readonly Pair[]): string[] {
  const [old, now] = [byName(before), byName(after)]
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name)).sort()
}

function byName(pairs: readonly Pair[]): Map<string, string> {
  const all = new Map<string, string>()
  for (const { name, value } of pairs) all.set(name, `${all.get(name) ?? ''}\n${String(value)}`)
  return all
}

function bodyFields(view: MessageView): readonly Pair[] {
  return view.requestBody.named.values
}

function headersOf(view: MessageView): Pair[] {
  return view.requestHeaders.map(({ name, values }) => ({ name, value: values.join(', ') }))
}

function pathOf({ url }: MessageView): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}
