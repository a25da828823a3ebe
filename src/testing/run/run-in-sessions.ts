import type { Exchange } from '../../http/index.ts'
import { ATTACKER_ROLE } from '../attempts/index.ts'
import type { LoginFailure } from '../sessions/session.ts'
import type { Template } from '../template/index.ts'
import type { EndpointKey, PairResult } from './pair-result.ts'
import { cannotTellApart, isLost } from './session-watch.ts'
import type { SessionTools } from './tools.ts'

/**
 * Runs a pair with every role it acts as signed in. A session that the target turns out to have forgotten is begun
 * again and the pair is run once more; a role that cannot act is its own verdict, for a refusal of nobody says
 * nothing about the endpoint.
 *
 * @param run runs the pair; called at most twice
 * @throws Failure SEND_STOPPED when the run was stopped or is out of time
 */
export async function runInSessions(
  template: Template,
  endpoint: EndpointKey,
  tools: SessionTools,
  run: () => Promise<PairResult>,
): Promise<PairResult> {
  const sample = tools.sampleOf(endpoint)
  if (sample === null || template.execute.type === 'passive') return run()
  const roles = rolesOf(template, endpoint, tools)
  const startedAtMs = tools.nowMs()
  for (const role of roles) {
    const problem = await tools.sessions.ready(role, endpoint, sample)
    if (problem !== null) return failedLogin(template, endpoint, problem, { startedAtMs, roles }, tools)
  }
  const first = await run()
  const renewal = await renewedAfter(first, { endpoint, sample, roles, startedAtMs }, tools)
  if (renewal === null) {
    const doubt =
      first.outcome === 'SECURE' ? await sessionDoubt(first, endpoint, sample, roles, tools) : null
    return { ...first, ...(doubt ?? {}), identities: roles }
  }
  if (renewal !== 'renewed') return { ...first, ...verdictOf(renewal), control: null, identities: roles }
  tools.forgetFresh(endpoint)
  const second = await run()
  const isStillRefused = second.outcome === 'NO_AUTH_TOKEN_FOUND'
  const text = `The role ${roles[0]} signed in again and is still refused.`
  return { ...second, identities: roles, ...(isStillRefused ? { explanation: text } : {}) }
}

/** The roles that a test acts as at an endpoint: that under test, and those its template names. */
function rolesOf(template: Template, endpoint: EndpointKey, tools: SessionTools): string[] {
  const own = tools.sessions.roleUnderTest(endpoint)
  const named = template.needs.flatMap((need) =>
    need.kind === 'role' ? [need.role] : need.kind === 'attacker' ? [ATTACKER_ROLE] : [],
  )
  return [...new Set([...(own === null ? [] : [own]), ...named])]
}

interface Run {
  readonly endpoint: EndpointKey
  readonly sample: Exchange
  readonly roles: readonly string[]
  readonly startedAtMs: number
}

/**
 * What became of sessions in a pair: null when they live. The fresh answer to the role under test, or an attempt that
 * was refused, raises the question; the probe of a credential answers it.
 */
async function renewedAfter(
  { outcome, attempts }: PairResult,
  { endpoint, sample, roles, startedAtMs }: Run,
  tools: SessionTools,
): Promise<'renewed' | LoginFailure | null> {
  const own = tools.sessions.roleUnderTest(endpoint)
  if (outcome === 'NO_AUTH_TOKEN_FOUND') {
    if (own === null) return null
    return (await tools.sessions.renew(own, endpoint, sample, startedAtMs)) ?? 'renewed'
  }
  const isRefused = attempts.some(
    ({ exchange: { response } }) => response.status === 401 || response.status === 403,
  )
  if ((outcome !== 'SECURE' && outcome !== 'ATTACKER_NOT_PROVEN') || !isRefused) return null
  for (const role of roles) {
    if (!(await isLost(role, endpoint, sample, tools))) continue
    return (await tools.sessions.renew(role, endpoint, sample, startedAtMs)) ?? 'renewed'
  }
  return null
}

/**
 * Why the refusal of a role proves nothing: no endpoint is known that welcomes it, and it is refused just as somebody
 * with made-up credentials is. Then a dead session would look the same. Null when its session is known to live.
 */
async function sessionDoubt(
  { attempts }: PairResult,
  endpoint: EndpointKey,
  sample: Exchange,
  roles: readonly string[],
  tools: SessionTools,
): Promise<Pick<PairResult, 'outcome' | 'explanation'> | null> {
  const own = tools.sessions.roleUnderTest(endpoint)
  for (const role of roles) {
    const credential = tools.sessions.credentialOf(role, endpoint, sample)
    if (role === own || credential === null || tools.sessions.sessionProbeOf(credential) !== null) continue
    const refused = await cannotTellApart(role, attempts, endpoint, sample, tools)
    if (refused === null) continue
    const who = role === ATTACKER_ROLE ? 'The attacker' : `The role ${role}`
    const explanation = `${who} was refused with ${refused}, exactly as made-up credentials are, and no endpoint of the run accepts these credentials: the session may be dead. Include an endpoint that ${role === ATTACKER_ROLE ? 'the attacker' : 'the role'} may use.`
    return { outcome: 'NO_AUTH_TOKEN_FOUND', explanation }
  }
  return null
}

function verdictOf({ kind, text }: LoginFailure): Pick<PairResult, 'outcome' | 'explanation'> {
  return { outcome: kind === 'login lost' ? 'NO_AUTH_TOKEN_FOUND' : 'ROLE_NOT_FOUND', explanation: text }
}

function failedLogin(
  { id, info }: Template,
  endpoint: EndpointKey,
  problem: LoginFailure,
  { startedAtMs, roles }: { startedAtMs: number; roles: readonly string[] },
  tools: SessionTools,
): PairResult {
  return {
    ...verdictOf(problem),
    endpoint,
    testId: id,
    category: info.category.name,
    severity: 'INFO',
    baseline: tools.sampleOf(endpoint),
    attempts: [],
    control: null,
    identities: roles,
    callbackIds: [],
    selection: null,
    startedAtMs,
    endedAtMs: tools.nowMs(),
  }
}
