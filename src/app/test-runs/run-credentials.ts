import { type Exchange, headerValue } from '../../http/index.ts'
import { compilePattern } from '../../rules/index.ts'
import {
  ATTACKER_ROLE,
  type CredentialParameter,
  type CredentialSource,
  type EndpointKey,
  type RoleCredential,
  type TestRoleView,
} from '../../testing/index.ts'

/** Headers that carry credentials wherever they stand. */
const KNOWN_HEADERS = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'access-token',
  'x-session-token',
]
const SESSION_COOKIE = /sess|sid$|^sid|auth|token|jwt/i

/** The identities of one run. */
export class RunCredentials {
  readonly #roles: ReadonlyMap<string, TestRoleView>

  constructor(roles: readonly TestRoleView[]) {
    this.#roles = new Map(roles.map((role) => [role.name, role]))
  }

  /** Roles that have credentials to use. */
  get usable(): ReadonlySet<string> {
    return new Set(
      [...this.#roles.values()].filter((role) => role.credentials.some(isReady)).map(({ name }) => name),
    )
  }

  /** Every secret, for the mask of evidence. */
  get secrets(): string[] {
    return [...this.#roles.values()].flatMap((role) =>
      role.credentials.flatMap(({ mechanism }) => mechanism.parameters.map(({ value }) => value)),
    )
  }

  /** Credentials as they are for one endpoint. */
  sourceFor(_endpoint: EndpointKey, sample: Exchange): CredentialSource {
    const attacker = this.#parametersOf(ATTACKER_ROLE, sample) ?? []
    const own = attacker.filter(({ where }) => where === 'HEADER').map(({ key }) => key.toLowerCase())
    return {
      authHeaderNames: [...new Set([...namesIn(sample), ...own.filter((name) => carries(sample, name))])],
      authTypeKeys: { headers: [], bodyKeys: [] },
      parametersOf: (role) => this.#parametersOf(role, sample),
      attackerRole: ATTACKER_ROLE,
    }
  }

  /** The first entry whose conditions hold for the request, else the one without conditions; null without any. */
  #parametersOf(name: string, sample: Exchange): readonly CredentialParameter[] | null {
    const ready = this.#roles.get(name)?.credentials.filter(isReady) ?? []
    const chosen =
      ready.find((credential) => isConditional(credential) && fits(credential, sample)) ??
      ready.find((credential) => !isConditional(credential))
    return chosen === undefined ? null : chosen.mechanism.parameters.map(asParameter)
  }
}

function isReady({ mechanism }: RoleCredential): boolean {
  return mechanism.type.toUpperCase() === 'HARDCODED' && mechanism.parameters.length > 0
}

function isConditional({ headerPairs, urlRegex }: RoleCredential): boolean {
  return urlRegex !== null || Object.keys(headerPairs).length > 0
}

function fits({ headerPairs, urlRegex }: RoleCredential, sample: Exchange): boolean {
  const { target, headers } = sample.request
  if (urlRegex !== null) {
    const pattern = compilePattern(`^(?:${urlRegex})$`)
    if (typeof pattern === 'string' || !pattern.test(target)) return false
  }
  return Object.entries(headerPairs).every(([name, value]) => headerValue(headers, name) === value)
}

function asParameter(parameter: { where: string; key: string; value: string }): CredentialParameter {
  const where = parameter.where.toUpperCase()
  return {
    where: where === 'BODY' || where === 'TLS' ? where : 'HEADER',
    key: parameter.key,
    value: parameter.value,
  }
}

function carries({ request }: Exchange, name: string): boolean {
  return headerValue(request.headers, name) !== undefined || cookieNames(request.headers).includes(name)
}

/** Headers and cookies of a sample that carry credentials, in lower case. */
export function namesIn({ request }: Exchange): string[] {
  const headers = KNOWN_HEADERS.filter((name) => headerValue(request.headers, name) !== undefined)
  return [...headers, ...cookieNames(request.headers).filter((name) => SESSION_COOKIE.test(name))]
}

function cookieNames(headers: Exchange['request']['headers']): string[] {
  return (headerValue(headers, 'cookie') ?? '')
    .split(';')
    .map((pair) =>
      pair
        .slice(0, Math.max(pair.indexOf('='), 0))
        .trim()
        .toLowerCase(),
    )
    .filter((name) => name !== '')
}
