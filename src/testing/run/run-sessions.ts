import type { Exchange } from '../../http/index.ts'
import { type Lookups, MessageView } from '../../rules/index.ts'
import { removeCredentials, replaceCredentials } from '../attempts/credentials.ts'
import { setHeader } from '../attempts/header-edits.ts'
import { type CredentialParameter, draftOf, outgoingRequest, type RequestDraft } from '../attempts/index.ts'
import type { LoginFailure } from '../sessions/session.ts'
import type { EndpointKey } from './pair-result.ts'
import type { RunMaterial } from './run-tools.ts'

/** Who can act in a run, and who cannot any more. */
export interface RunSessions {
  /** The role whose credentials replace the recorded ones at an endpoint; null keeps the recorded caller. */
  roleUnderTest(endpoint: EndpointKey): string | null
  /** Signs a role in where it is not, or its session ends; says why it cannot act at the endpoint. */
  ready(role: string, endpoint: EndpointKey, sample: Exchange): Promise<LoginFailure | null>
  /** Signs a role in again whose session was refused in a request that began at `seenMs`. */
  renew(role: string, endpoint: EndpointKey, sample: Exchange, seenMs: number): Promise<LoginFailure | null>
  /** Name of the credential that a role uses at an endpoint; null without one. */
  credentialOf(role: string, endpoint: EndpointKey, sample: Exchange): string | null
  /** A request that welcomes a credential and refuses strangers; null while none is known. */
  sessionProbeOf(credential: string): SessionProbe | null
  noteSessionProbe(credential: string, probe: SessionProbe): void
}

/** Another sample of the same endpoint may be about an object that the credential may not see. */
export interface SessionProbe {
  readonly endpoint: EndpointKey
  readonly sample: Exchange
}

/** Credentials never change, and no role replaces a caller. */
export const NO_SESSIONS: RunSessions = {
  roleUnderTest: () => null,
  ready: () => Promise.resolve(null),
  renew: () => Promise.resolve(null),
  credentialOf: () => null,
  sessionProbeOf: () => null,
  noteSessionProbe: () => {},
}

interface Rewritten {
  readonly parameters: readonly CredentialParameter[]
  readonly sample: Exchange
}

/** Samples with the credentials of the role under test, made once for each session. */
const rewritten = new WeakMap<Exchange, Rewritten>()

/** A recorded sample of an endpoint, its credentials those of the role under test; null without a sample. */
export function sampleOfRun(
  material: RunMaterial,
  endpoint: EndpointKey,
  sample: Exchange | null,
): Exchange | null {
  if (sample === null) return null
  const parameters = parametersUnderTest(material, endpoint, sample)
  if (parameters === null) return sample
  const known = rewritten.get(sample)
  if (known?.parameters === parameters) return known.sample
  const made = sentAs(sample, parameters, material.credentialsFor(endpoint, sample).authHeaderNames)
  rewritten.set(sample, { parameters, sample: made })
  return made
}

/** An exchange whose request carries the credentials of a role instead of the recorded ones. */
export function sentAs(
  sample: Exchange,
  parameters: readonly CredentialParameter[],
  names: readonly string[],
): Exchange {
  const draft = draftOf(sample)
  takeOver(draft, parameters, names)
  const { url, headers, body } = outgoingRequest(draft)
  const isText = sample.request.bodyIsBase64 !== true
  const request: Exchange['request'] = {
    ...sample.request,
    target: url,
    headers,
    body: body === null ? sample.request.body : Buffer.from(body).toString(isText ? 'utf8' : 'base64'),
  }
  return { ...sample, request }
}

/**
 * What conditions ask the inventory. Whose a value is depends on who was recorded with it, not on the role that
 * replaces that caller now.
 */
export function lookupsOfRun(
  { lookups, sessions }: RunMaterial,
  recordedOf: (endpoint: EndpointKey) => Exchange | null,
): Lookups {
  if (sessions === undefined) return lookups
  return {
    ...lookups,
    privateValuesOf(endpoint, sample) {
      const recorded = sessions.roleUnderTest(endpoint) === null ? null : recordedOf(endpoint)
      return lookups.privateValuesOf(endpoint, recorded === null ? sample : new MessageView(recorded))
    },
    ownershipOf(endpoint, sample) {
      const recorded = sessions.roleUnderTest(endpoint) === null ? null : recordedOf(endpoint)
      return lookups.ownershipOf(endpoint, recorded === null ? sample : new MessageView(recorded))
    },
  }
}

/** The request that tests of an endpoint start from. */
export function startOfRun(
  material: RunMaterial,
  endpoint: EndpointKey,
  sample: Exchange,
  recorded: Exchange | null,
): RequestDraft {
  const draft = draftOf(sample)
  const parameters = recorded === null ? null : parametersUnderTest(material, endpoint, recorded)
  const identities = (parameters ?? []).flatMap(({ identity }) => (identity === undefined ? [] : [identity]))
  if (identities.length > 0) draft.identity = Object.assign({}, ...identities)
  return draft
}

function parametersUnderTest(
  { sessions, credentialsFor }: RunMaterial,
  endpoint: EndpointKey,
  sample: Exchange,
): readonly CredentialParameter[] | null {
  const role = sessions?.roleUnderTest(endpoint) ?? null
  return role === null ? null : credentialsFor(endpoint, sample).parametersOf(role)
}

/**
 * Replaces the recorded caller by a role: all known credentials of the request are removed, those of the role added. A
 * request that carried none stays anonymous.
 */
function takeOver(
  draft: RequestDraft,
  parameters: readonly CredentialParameter[],
  names: readonly string[],
): void {
  const isAnonymous = !removeCredentials({ ...draft }, names)
  if (replaceCredentials(draft, parameters) === 0 && isAnonymous) return
  const own = new Set(parameters.map(({ key }) => key.toLowerCase()))
  removeCredentials(
    draft,
    names.filter((name) => !own.has(name) && !own.has('cookie')),
  )
  for (const { where, key, value } of parameters) if (where === 'HEADER') setRoleHeader(draft, key, value)
}

/** Sets a header, unless the value went into a cookie of that name. */
function setRoleHeader(draft: RequestDraft, key: string, value: string): void {
  const isCookie = draft.headers.some(
    ({ name, value: pairs }) =>
      name.toLowerCase() === 'cookie' && pairs.split(';').some((pair) => pair.trim() === `${key}=${value}`),
  )
  if (!isCookie) setHeader(draft, key, value)
}
