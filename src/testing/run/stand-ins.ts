import { type Exchange, headerValue } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import { withoutScheme } from '../attempts/credentials.ts'
import { ATTACKER_ROLE, type CredentialParameter } from '../attempts/index.ts'
import { readJwt } from '../tokens/jwt.ts'
import { FreshAnswers } from './fresh-answers.ts'
import type { EndpointKey } from './pair-result.ts'
import { NO_SESSIONS } from './run-sessions.ts'
import type { RunMaterial } from './run-tools.ts'
import { isOwnOf, ownRequestOf } from './test-callers.ts'

/** Callers that replace the attacker at one sample. */
const MAX_STAND_INS = 2
const ADMIN_ROLE = 'ADMIN'
/** Claims that differ between tokens of one kind. */
const OF_ONE_TOKEN = new Set(['iat', 'exp', 'nbf', 'jti', 'auth_time', 'nonce', 'sid'])

/**
 * The run with other recorded callers as the attacker, at an endpoint that takes credentials of another kind than the
 * attacker has: those whose credentials are of the kind that the sample was sent with, and who are known to be other
 * people than its owner. Empty where the attacker's own credentials are of that kind, and where it was recorded itself.
 *
 * @param recorded the sample that is attacked
 */
export function withStandIns(
  material: RunMaterial,
  endpoint: EndpointKey,
  recorded: Exchange,
): RunMaterial[] {
  const { callers, samples, sessions, credentialsFor } = material
  if (callers === undefined || sessions?.roleUnderTest(endpoint) != null) return []
  if (ownRequestOf(material, ATTACKER_ROLE, endpoint) !== null) return []
  const { authHeaderNames, parametersOf } = credentialsFor(endpoint, recorded)
  const attacker = parametersOf(ATTACKER_ROLE)
  const kind = kindOf(credentialsIn(recorded, authHeaderNames))
  if (attacker === null || kind === '' || kind === kindOf(attacker)) return []
  const owner = callers.valuesOf(recorded)
  const isAnother = (sample: Exchange): boolean => {
    const values = callers.valuesOf(sample)
    return owner.size > 0 && values.size > 0 && ![...owner].some((value) => values.has(value))
  }
  return samples
    .allOf(endpoint)
    .filter((sample) => sample.response.status < 400 && isAnother(sample))
    .filter((sample) => !isOwnOf(material, ADMIN_ROLE, endpoint, sample))
    .map((sample) => ({ name: callers.ownerOf(sample), own: credentialsIn(sample, authHeaderNames) }))
    .filter(({ own }) => kindOf(own) === kind)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MAX_STAND_INS)
    .map(({ own }) => ({
      ...material,
      // What was answered to the attacker says nothing about another.
      freshAnswers: new FreshAnswers(),
      sessions: NO_SESSIONS,
      credentialsFor(key, sample) {
        const source = credentialsFor(key, sample)
        return {
          ...source,
          parametersOf: (role) => (role === ATTACKER_ROLE ? own : source.parametersOf(role)),
        }
      },
    }))
}

function credentialsIn(sample: Exchange, names: readonly string[]): CredentialParameter[] {
  const { cookies } = new MessageView(sample)
  return names.flatMap((key) => {
    const value =
      headerValue(sample.request.headers, key) ??
      cookies.find(({ name }) => name.toLowerCase() === key)?.value
    return value === undefined || value === '' ? [] : [{ where: 'HEADER', key, value }]
  })
}

/** What credentials of one kind have in common: where they travel, their scheme, and what a JWT is about. */
function kindOf(parameters: readonly CredentialParameter[]): string {
  const kinds = parameters.map(({ where, key, value }) => {
    const secret = withoutScheme(value)
    const payload = readJwt(secret)?.payload
    const claims = [...(payload?.keys() ?? [])].filter((claim) => !OF_ONE_TOKEN.has(claim)).sort()
    const scheme = value.slice(0, value.length - secret.length)
    return `${where} ${key.toLowerCase()} ${scheme.toLowerCase()} ${claims.join(' ')}`
  })
  return kinds.sort().join('\n')
}
