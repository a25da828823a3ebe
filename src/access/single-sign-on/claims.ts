import type { Role } from '../../contract/index.ts'
import { Failure, type Settings } from '../../kit/index.ts'
import { readLogin } from '../users.ts'
import type { Claims } from './provider.ts'

const RANKS: readonly Role[] = ['GUEST', 'MEMBER', 'ADMIN']
const MAX_NAME = 200

/** Values of a claim: of a text one, of a list of texts all. The name may be a path: `realm_access.roles`. */
function valuesOf(claims: Claims, name: string): readonly string[] {
  // Names of claims may hold dots themselves (https://shop.example/roles).
  let value: unknown = claims[name]
  if (value === undefined)
    value = name
      .split('.')
      .reduce<unknown>(
        (inner, key) =>
          typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
            ? (inner as Record<string, unknown>)[key]
            : undefined,
        claims,
      )
  const list = Array.isArray(value) ? value : [value]
  return list.filter((item): item is string => typeof item === 'string')
}

/** The highest role that the settings give for the claims; null when they give none. */
export function roleOfClaims(claims: Claims, settings: Settings): Role | null {
  const values = new Set(valuesOf(claims, settings.oidcRoleClaim))
  let best: Role | null = null
  for (const rule of settings.oidcRoles) {
    const at = rule.lastIndexOf('=')
    const role = rule.slice(at + 1) as Role
    if (values.has(rule.slice(0, at)) && (best === null || RANKS.indexOf(role) > RANKS.indexOf(best)))
      best = role
  }
  return best
}

/**
 * The e-mail address of a person, as it is kept; only one that the provider verified, or that the settings trust.
 *
 * @throws Failure OIDC_NO_EMAIL
 */
export function emailOfClaims(claims: Claims, { oidcTrustEmail }: Settings): string {
  const { email, email_verified: isVerified } = claims
  if (typeof email !== 'string' || !(oidcTrustEmail || isVerified === true || isVerified === 'true'))
    throw new Failure('OIDC_NO_EMAIL')
  return readLogin(email)
}

/** The name of a person; null when the provider gives none. */
export function nameOfClaims({ name }: Claims): string | null {
  const text = typeof name === 'string' ? name.replace(/\p{Cc}/gu, ' ').trim() : ''
  return text === '' ? null : text.slice(0, MAX_NAME)
}
