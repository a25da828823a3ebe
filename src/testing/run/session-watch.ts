import { type Exchange, requestAuthority } from '../../http/index.ts'
import { removeCredentials, replaceCredentials } from '../attempts/credentials.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { AttemptRecord, EndpointKey } from './pair-result.ts'
import { asStranger, withoutCredentials } from './strangers.ts'
import type { SessionTools } from './tools.ts'

/** Endpoints that a role is tried at to find one that knows it. */
const MAX_TRIED = 6

/** What a look at a role's credentials showed. */
type PrecheckOutcome = 'accepted' | 'refused' | 'unknown'

/**
 * Looks whether the credentials of a role are accepted: the first endpoint that welcomes them and refuses strangers is
 * kept as session probe. They are refused when every endpoint asked says 401 to them, on every host.
 *
 * @param endpoints those that only read
 * @throws Failure a code of the sender
 */
export async function precheck(
  role: string,
  endpoints: readonly EndpointKey[],
  tools: SessionTools,
): Promise<PrecheckOutcome> {
  let refused = 0
  let asked = 0
  const hosts = new Set<string>()
  for (const endpoint of endpoints) {
    const sample = tools.sampleOf(endpoint)
    const host = sample === null ? '' : requestAuthority(sample.request)
    // Who is a stranger to one host may be welcome at the next: a refusal needs a word of each.
    if (asked >= MAX_TRIED && !hosts.has(host)) return 'unknown'
    if (asked >= MAX_TRIED) continue
    const credential = sample === null ? null : tools.sessions.credentialOf(role, endpoint, sample)
    if (sample === null || credential === null) continue
    if (tools.sessions.sessionProbeOf(credential) !== null) continue
    const drafts = draftsFor(role, endpoint, sample, tools)
    if (drafts === null) continue
    asked++
    hosts.add(host)
    const status = await statusOf(drafts.own, tools)
    if (status === 401) refused++
    if (status < 200 || status > 299) continue
    const strangers = await statusOf(drafts.strange, tools)
    if (strangers !== 401 && strangers !== 403) continue
    tools.sessions.noteSessionProbe(credential, { endpoint, sample })
    return 'accepted'
  }
  return asked > 0 && refused === asked ? 'refused' : 'unknown'
}

/**
 * The status that an endpoint answers its sample with, sent as a role; null when the role has no place in the request.
 *
 * @throws Failure a code of the sender
 */
export async function statusAs(
  role: string,
  endpoint: EndpointKey,
  tools: SessionTools,
): Promise<number | null> {
  return (await answerAs(role, endpoint, tools))?.response.status ?? null
}

/**
 * What an endpoint answers to its sample, sent as a role; null when the role has no place in the request.
 *
 * @throws Failure a code of the sender
 */
export async function answerAs(
  role: string,
  endpoint: EndpointKey,
  tools: SessionTools,
): Promise<Exchange | null> {
  const sample = tools.sampleOf(endpoint)
  const drafts = sample === null ? null : draftsFor(role, endpoint, sample, tools)
  if (drafts === null) return null
  return (await tools.send(drafts.own, { followRedirects: false, testId: '' })).exchange
}

/**
 * The status that an endpoint answers its sample with, sent without its credentials; null when the sample carries none.
 *
 * @throws Failure a code of the sender
 */
export async function statusAsStranger(endpoint: EndpointKey, tools: SessionTools): Promise<number | null> {
  const sample = tools.sampleOf(endpoint)
  if (sample === null) return null
  const start = draftOf(sample)
  const bare = withoutCredentials(start, tools.credentialsFor(endpoint, sample).authHeaderNames)
  return bare.headers.length === start.headers.length ? null : statusOf(bare, tools)
}

/**
 * Whether a role has lost its session meanwhile: the endpoint that welcomed it refuses it now. False while no such
 * endpoint is known.
 */
export async function isLost(
  role: string,
  endpoint: EndpointKey,
  sample: Exchange,
  tools: SessionTools,
): Promise<boolean> {
  const credential = tools.sessions.credentialOf(role, endpoint, sample)
  const probe = credential === null ? null : tools.sessions.sessionProbeOf(credential)
  if (probe === null) return false
  const drafts = draftsFor(role, probe.endpoint, probe.sample, tools)
  if (drafts === null) return false
  const status = await statusOf(drafts.own, tools)
  return status === 401 || status === 403
}

/**
 * The status that a role was refused with in one of the attempts, when the same request with made-up credentials is
 * refused alike; null when no attempt as the role was refused, or the two are distinguished.
 *
 * @throws Failure a code of the sender
 */
export async function cannotTellApart(
  role: string,
  attempts: readonly AttemptRecord[],
  endpoint: EndpointKey,
  sample: Exchange,
  tools: SessionTools,
): Promise<number | null> {
  const credentials = tools.credentialsFor(endpoint, sample)
  const parameters = credentials.parametersOf(role) ?? []
  const refused = attempts.find(
    ({ exchange: { request, response } }) =>
      (response.status === 401 || response.status === 403) &&
      parameters.some(({ value }) => request.headers.some((text) => text.includes(value))),
  )
  if (refused === undefined) return null
  const keys = parameters.map(({ key }) => key.toLowerCase())
  const strange = asStranger(draftOf(refused.exchange), [...credentials.authHeaderNames, ...keys])
  const { exchange } = await tools.send(strange, { followRedirects: false, testId: '', endpoint })
  return refusalText(exchange) === refusalText(refused.exchange) ? exchange.response.status : null
}

/** Status and body without the parts that differ in every answer, such as times and request ids. */
function refusalText({ response: { status, body } }: Exchange): string {
  return `${status} ${body.replace(/[0-9a-f-]{6,}|\d+/gi, '#')}`
}

function draftsFor(
  role: string,
  endpoint: EndpointKey,
  sample: Exchange,
  tools: SessionTools,
): { own: RequestDraft; strange: RequestDraft } | null {
  const credentials = tools.credentialsFor(endpoint, sample)
  const parameters = credentials.parametersOf(role)
  if (parameters === null) return null
  const own = draftOf(sample)
  const names = credentials.authHeaderNames
  const keys = parameters.map(({ key }) => key.toLowerCase())
  if (replaceCredentials(own, parameters) === 0) return null
  removeCredentials(
    own,
    names.filter((name) => !keys.includes(name) && !keys.includes('cookie')),
  )
  // Removing takes the identity of the connection along.
  const identities = parameters.flatMap(({ identity }) => (identity === undefined ? [] : [identity]))
  if (identities.length > 0) own.identity = Object.assign({}, ...identities)
  return { own, strange: asStranger(own, [...names, ...keys]) }
}

async function statusOf(draft: RequestDraft, tools: SessionTools): Promise<number> {
  const { exchange } = await tools.send(draft, { followRedirects: false, testId: '' })
  return exchange.response.status
}
