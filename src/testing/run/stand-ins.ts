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
/**
 * Claims that differ between tokens of one kind: times and numbers of a token, rights, and what OpenID Connect Core
 * (section 5.1) says of a person who told it.
 */
const OPTIONAL = new Set(
  `iat exp nbf jti sid auth_time nonce at_hash c_hash scope scp roles amr acr azp name given_name family_name
   middle_name nickname preferred_username profile picture website email_verified gender birthdate zoneinfo locale
   phone_number phone_number_verified address updated_at`.split(/\s+/),
)
/** Claims whose users share objects. */
const SHARED = /^(?:org|organi[sz]ation|tenant|account|client|company|team|workspace|project|group)/i

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
  // A whole header of cookies does not tell its kind.
  if (attacker.some(({ key }) => key.toLowerCase() === 'cookie')) return []
  const owner = callers.valuesOf(recorded)
  const isAnother = (sample: Exchange): boolean => {
    const values = callers.valuesOf(sample)
    return owner.size > 0 && values.size > 0 && ![...owner].some((value) => values.has(value))
  }
  const team = sharedIn(credentialsIn(recorded, authHeaderNames))
  const isOfTeam = (own: readonly CredentialParameter[]): boolean =>
    [...sharedIn(own)].some((claim) => team.has(claim))
  return samples
    .allOf(endpoint)
    .filter((sample) => sample.response.status < 400 && isAnother(sample))
    .filter((sample) => !isOwnOf(material, ADMIN_ROLE, endpoint, sample))
    .map((sample) => ({ name: callers.ownerOf(sample), own: credentialsIn(sample, authHeaderNames) }))
    .filter(({ own }) => kindOf(own) === kind && !isOfTeam(own))
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
    const claims = [...(payload?.keys() ?? ['opaque'])].filter((claim) => !OPTIONAL.has(claim)).sort()
    const scheme = value.slice(0, value.length - secret.length)
    return `${where} ${key.toLowerCase()} ${scheme.toLowerCase()} ${claims.join(' ')}`
  })
  return kinds.sort().join('\n')
}

/** What tokens say of the organization that their users belong to, as `claim value`. */
function sharedIn(parameters: readonly CredentialParameter[]): Set<string> {
  const claims = parameters.flatMap(({ value }) => [...(readJwt(withoutScheme(value))?.payload ?? [])])
  return new Set(
    claims.filter(([claim]) => SHARED.test(claim)).map(([claim, value]) => `${claim} ${String(value)}`),
  )
}
