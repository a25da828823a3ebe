import { absoluteUrl } from '../../http/index.ts'
import { Failure, nowMs } from '../../kit/index.ts'
import {
  ATTACKER_ROLE,
  answerAs,
  type Callers,
  type EndpointKey,
  isSelfRequest,
  precheck,
  type SessionTools,
  type Template,
} from '../../testing/index.ts'
import { isOfAdministrators } from './role-people.ts'
import type { RunIdentities } from './run-identities.ts'

/** Endpoints that a role is asked to name itself at. */
const MAX_SELF_REQUESTS = 3
/** Methods whose requests change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * Signs in the roles that the tests of a run act as, and administrators where tests ask whom functions are for, and looks
 * whether their credentials are accepted. A role that is not keeps its problem, which its pairs end with.
 *
 * @param callers learns from answers to "who am I" who the roles are
 * @returns why the run cannot go on: the role under test cannot act
 * @throws Failure SEND_STOPPED when the run ended meanwhile
 */
export async function signIn(
  { credentials, roles, roleUnderTest }: RunIdentities,
  templates: Iterable<Template>,
  endpoints: readonly EndpointKey[],
  tools: SessionTools,
  callers: Callers | undefined,
): Promise<string | null> {
  const named = new Set(roleUnderTest === null ? [] : [roleUnderTest.name])
  for (const { needs } of templates) {
    for (const need of needs) {
      if (need.kind === 'attacker') named.add(ATTACKER_ROLE)
      else if (need.kind === 'role') named.add(need.role)
      else if (need.kind === 'function use')
        for (const { name } of roles) if (isOfAdministrators(name)) named.add(name)
    }
  }
  await credentials.begin(named)
  if (roleUnderTest !== null) {
    const [problem] = credentials.problemsOf(roleUnderTest.name)
    if (problem !== undefined && !credentials.canAct(roleUnderTest.name)) return problem.text
  }
  const candidates = hostsInTurn(
    endpoints.filter(({ method }) => SAFE_METHODS.has(method)),
    tools,
  )
  for (const role of named) {
    if (!credentials.canAct(role)) continue
    await look(role, candidates, tools)
    if (callers !== undefined) await learnPerson(role, candidates, tools, callers)
  }
  return null
}

/** A role that is refused everywhere signs in once more; a token kept from an earlier run may have been revoked. */
async function look(role: string, candidates: readonly EndpointKey[], tools: SessionTools): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const askedMs = nowMs()
    const outcome = await tried(() => precheck(role, candidates, tools))
    if (outcome !== 'refused') return
    for (const endpoint of candidates) {
      const sample = tools.sampleOf(endpoint)
      if (sample !== null && (await tools.sessions.renew(role, endpoint, sample, askedMs)) !== null) return
    }
  }
}

/** Asks the applications who a role is. */
async function learnPerson(
  role: string,
  candidates: readonly EndpointKey[],
  tools: SessionTools,
  callers: Callers,
): Promise<void> {
  const asking = candidates.filter((endpoint) => {
    const sample = tools.sampleOf(endpoint)
    return sample !== null && isSelfRequest(sample)
  })
  for (const endpoint of asking.slice(0, MAX_SELF_REQUESTS)) {
    const answer = await tried(() => answerAs(role, endpoint, tools))
    if (answer !== null) callers.learn(answer)
  }
}

/** A host that does not answer says nothing about credentials. */
async function tried<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    return null
  }
}

/** The endpoints with their hosts taking turns, so that the first few are of many. */
function hostsInTurn(endpoints: readonly EndpointKey[], tools: SessionTools): EndpointKey[] {
  const byHost = new Map<string, EndpointKey[]>()
  for (const endpoint of endpoints) {
    const sample = tools.sampleOf(endpoint)
    const url = sample === null ? '' : absoluteUrl(sample.request)
    if (sample === null || sample.response.status >= 300 || !URL.canParse(url)) continue
    const { host } = new URL(url)
    const known = byHost.get(host)
    if (known === undefined) byHost.set(host, [endpoint])
    else known.push(endpoint)
  }
  const lists = [...byHost.values()]
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat()
}
