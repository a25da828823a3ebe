import { nowMs } from '../../kit/index.ts'
import type { CredentialParameter } from '../attempts/environment.ts'
import type { AuthMechanismView } from '../records/auth-mechanism.ts'
import { type LoginStep, readLoginSteps, stepName } from './login-step.ts'
import { LoginValues } from './login-values.ts'
import {
  fillParameters,
  type LoginOutcome,
  type LoginParameter,
  type LoginSend,
  runLogin,
} from './run-login.ts'
import type {
  FlowPlayer,
  OneTimeCodes,
  SampleFinder,
  SampleOrigin,
  Session,
  SessionState,
} from './session.ts'

/** What beginning a session may use. */
export interface SessionDeps {
  readonly send: LoginSend
  readonly sampleOf: SampleFinder
  /** Null: the installation plays no recorded logins. */
  readonly player: FlowPlayer | null
  readonly oneTimeCode: OneTimeCodes
  /** Origin of steps that name none. */
  readonly origin: string | null
  readonly signal: AbortSignal
}

/** Sessions that hold for a whole run. */
const NEVER_ENDS = 2 ** 31 - 1
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const KEY = /-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END (?:RSA |EC )?PRIVATE KEY-----/

/** The kind of a mechanism as the product knows it; clients write it in many ways. */
export function mechanismKind({ type }: Pick<AuthMechanismView, 'type'>): string {
  return type
    .trim()
    .toUpperCase()
    .replaceAll(/[-\s]+/g, '_')
}

/**
 * Obtains what a mechanism authenticates with: stored values, the outcome of a login, the newest sample.
 *
 * @param who name of the role, for sentences
 * @throws Failure SEND_STOPPED when the run ended meanwhile
 */
export async function beginSession(
  mechanism: AuthMechanismView,
  who: string,
  deps: SessionDeps,
): Promise<SessionState> {
  switch (mechanismKind(mechanism)) {
    case 'HARDCODED':
      return storedSession(mechanism) ?? needs(who, 'has no credentials')
    case 'DIGEST_AUTH':
      return digestSession(mechanism.parameters, who)
    case 'TLS_AUTH':
      return certificateSession(mechanism.parameters, who)
    case 'LOGIN_REQUEST':
      return loginSession(mechanism, who, deps)
    case 'SAMPLE_DATA':
      return sampleSession(mechanism, who, deps)
    default:
      return needs(who, `signs in by ${mechanism.type}, which Vigil does not know`)
  }
}

/** The session of values that are stored as they are sent; null where they are not, or there are none. */
export function storedSession(mechanism: AuthMechanismView): SessionState | null {
  const isStored = mechanismKind(mechanism) === 'HARDCODED' && mechanism.parameters.length > 0
  return isStored ? lasting(mechanism.parameters.map(plainParameter)) : null
}

function needs(who: string, what: string): SessionState {
  return { kind: 'needs configuration', text: `The role ${who} ${what}.` }
}

function lasting(parameters: readonly CredentialParameter[]): SessionState {
  return { parameters, expiresAt: NEVER_ENDS, beganMs: nowMs(), isRenewable: false }
}

function plainParameter({ where, key, value }: LoginParameter): CredentialParameter {
  const place = where.toUpperCase()
  if (place !== 'TLS') return { where: place === 'BODY' ? 'BODY' : 'HEADER', key, value }
  const clientCertificate = certificateIn(value)
  return {
    where: 'TLS',
    key,
    value,
    ...(clientCertificate === null ? {} : { identity: { clientCertificate } }),
  }
}

function certificateIn(text: string): { certificate: string; key: string } | null {
  const chain = text.match(CERTIFICATE)
  const key = KEY.exec(text)?.[0]
  return chain === null || key === undefined ? null : { certificate: chain.join('\n'), key }
}

/** The certificate and its key are in one parameter or in several, both as PEM. */
function certificateSession(parameters: readonly LoginParameter[], who: string): SessionState {
  const value = parameters.map((one) => one.value).join('\n')
  const clientCertificate = certificateIn(value)
  if (clientCertificate === null) return needs(who, 'has no client certificate with its key, both as PEM')
  return lasting([{ where: 'TLS', key: 'certificate', value: '', identity: { clientCertificate } }])
}

/** `username` and `password`, or one value `user:password`. */
function digestSession(parameters: readonly LoginParameter[], who: string): SessionState {
  const named = (names: RegExp): string | undefined => parameters.find(({ key }) => names.test(key))?.value
  const [single] = parameters
  const colon = parameters.length === 1 && single ? single.value.indexOf(':') : -1
  const user = colon > 0 ? single!.value.slice(0, colon) : named(/^user(?:_?name)?$/i)
  const password = colon > 0 ? single!.value.slice(colon + 1) : named(/^pass(?:word)?$/i)
  if (user === undefined || password === undefined)
    return needs(who, 'has no username and password for digest')
  return lasting([
    { where: 'DIGEST', key: 'authorization', value: password, identity: { digest: { user, password } } },
  ])
}

async function loginSession(
  mechanism: AuthMechanismView,
  who: string,
  deps: SessionDeps,
): Promise<SessionState> {
  const described = mechanism.steps ?? []
  const isRecorded = described.some((step) => /RECORD/i.test(String(step['type'] ?? '')))
  if (mechanism.flow !== null || isRecorded) return playedSession(mechanism, who, deps)
  if (mechanism.parameters.length === 0) return needs(who, 'signs in, but nothing says where the token goes')
  const steps = readLoginSteps(described)
  if (typeof steps === 'string') return needs(who, `cannot sign in: ${steps}`)
  return settled(await runLogin(steps, mechanism.parameters, deps), who)
}

function settled(outcome: LoginOutcome, who: string): SessionState {
  if ('refusal' in outcome)
    return { kind: 'login lost', text: `The role ${who} could not sign in: ${outcome.refusal}.` }
  return {
    parameters: outcome.parameters.map(plainParameter),
    expiresAt: outcome.expiresAt,
    beganMs: nowMs(),
    isRenewable: true,
  }
}

async function playedSession(
  { flow, parameters }: AuthMechanismView,
  who: string,
  { player, signal }: SessionDeps,
): Promise<SessionState> {
  if (flow === null) return needs(who, 'signs in by a recording, but none is kept')
  if (player === null) return needs(who, 'signs in by a recording, and this installation plays none')
  try {
    const played = await player.play(flow, signal)
    const values = new LoginValues()
    values.keep('cookies', played.cookieHeader)
    values.keep('token', played.token)
    for (const [name, value] of Object.entries(played.values)) values.keep(name, value)
    values.add(
      [stepName(0)],
      answerOf({ ...played.values, token: played.token, cookieHeader: played.cookieHeader }),
    )
    return settled(fillParameters(parameters, values), who)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'login lost', text: `The role ${who} could not sign in: ${reason}.` }
  }
}

/** Values of the newest sample of the endpoint that `requestData` names, which stands as step x1. */
async function sampleSession(
  mechanism: AuthMechanismView,
  who: string,
  { sampleOf }: SessionDeps,
): Promise<SessionState> {
  const origin = sampleOrigin(mechanism.steps?.[0])
  if (origin === null) return needs(who, 'takes its token from samples, but no endpoint is named')
  const sample = await sampleOf(origin, mechanism.author)
  if (sample === null)
    return needs(
      who,
      `takes its token from ${origin.method} ${origin.url}, which has no sample that succeeded, or none that its author and its user may see`,
    )
  const values = new LoginValues()
  values.add([stepName(0)], sample)
  return settled(fillParameters(mechanism.parameters, values), who)
}

function sampleOrigin(step: Record<string, unknown> | undefined): SampleOrigin | null {
  const { apiCollectionId, method, url } = step ?? {}
  return typeof apiCollectionId === 'number' && typeof method === 'string' && typeof url === 'string'
    ? { collectionId: apiCollectionId, method: method.toUpperCase(), url }
    : null
}

function answerOf(body: Readonly<Record<string, string>>): Parameters<LoginValues['add']>[1] {
  return {
    request: { method: 'GET', target: '', version: '', headers: [], body: '' },
    response: { status: 200, reason: '', headers: [], body: JSON.stringify(body) },
  }
}

/** Hosts that the steps of a login name themselves, which a person put there. */
export function loginHosts(mechanism: Pick<AuthMechanismView, 'steps' | 'type'>): string[] {
  if (mechanismKind(mechanism) !== 'LOGIN_REQUEST') return []
  const steps = readLoginSteps(mechanism.steps ?? [])
  if (typeof steps === 'string') return []
  return steps.flatMap(({ url }: LoginStep) => {
    const origin = /^https?:\/\/[^/?#$]+/i.exec(url)?.[0]
    return origin !== undefined && URL.canParse(origin) ? [new URL(origin).host] : []
  })
}

/** Seconds before its end from which a session counts as over. */
const MARGIN_SECONDS = 30

/**
 * Whether a session is over, or so nearly that a test would not end in it. One that lasts less than a minute in all is
 * used for half of its life: it must not be begun anew for every test.
 */
export function hasEnded({ expiresAt, beganMs }: Pick<Session, 'expiresAt' | 'beganMs'>): boolean {
  const lifeSeconds = Math.max(0, expiresAt - beganMs / 1000)
  return nowMs() / 1000 >= expiresAt - Math.min(MARGIN_SECONDS, lifeSeconds / 2)
}
