import { type Exchange, requestAuthority } from '../../http/index.ts'
import { removeCredentials, replaceCredentials } from '../attempts/credentials.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { EndpointKey } from './pair-result.ts'
import { asStranger } from './strangers.ts'
import type { SessionTools } from './tools.ts'

/** Endpoints that a role is tried at to find one that knows it. */
const MAX_TRIED = 6

/** What a look at a role's credentials showed. */
export type PrecheckOutcome = 'accepted' | 'refused' | 'unknown'

/**
 * Looks whether the credentials of a role are accepted: the first endpoint that welcomes them and refuses strangers is
 * kept as witness. They are refused when every endpoint asked says 401 to them, on every host.
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
    if (tools.sessions.witnessOf(credential) !== null) continue
    const drafts = draftsFor(role, endpoint, sample, tools)
    if (drafts === null) continue
    asked++
    hosts.add(host)
    const status = await statusOf(drafts.own, tools)
    if (status === 401) refused++
    if (status < 200 || status > 299) continue
    const strangers = await statusOf(drafts.strange, tools)
    if (strangers !== 401 && strangers !== 403) continue
    tools.sessions.noteWitness(credential, endpoint)
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
  const sample = tools.sampleOf(endpoint)
  const drafts = sample === null ? null : draftsFor(role, endpoint, sample, tools)
  return drafts === null ? null : statusOf(drafts.own, tools)
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
  const witness = credential === null ? null : tools.sessions.witnessOf(credential)
  const shown = witness === null ? null : tools.sampleOf(witness)
  if (witness === null || shown === null) return false
  const drafts = draftsFor(role, witness, shown, tools)
  if (drafts === null) return false
  const status = await statusOf(drafts.own, tools)
  return status === 401 || status === 403
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
