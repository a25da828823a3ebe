import { type Exchange, headerValue } from '../../http/index.ts'
import { carriesKey, isSessionCookie } from '../../inventory/index.ts'
import { compilePattern } from '../../rules/index.ts'
import {
  ATTACKER_ROLE,
  type CredentialParameter,
  type CredentialSource,
  type EndpointKey,
  isLoginFailure,
  type LoginFailure,
  type RequestDraft,
  type RoleCredential,
  type RunSessions,
  type SessionProbe,
  type SessionState,
  type Sessions,
  storedSession,
  type TestRoleView,
} from '../../testing/index.ts'
import { roleReaches } from './role-endpoints.ts'

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
/** Headers that only one product has: `x-parse-session-token`, `x-shop-access-token`. */
const OWN_HEADER =
  /^(?!.*(?:csrf|xsrf))[\w-]*-(?:(?:auth|access|session|user|login|bearer)-?token|session-?id|jwt)$/i

/** What the identities of a run are made with. */
interface RunCredentialOptions {
  /** Absent: only credentials that are stored as they are sent can be used. */
  readonly sessions?: Sessions
  /** Its credentials replace the recorded ones at its endpoints. */
  readonly roleUnderTest?: TestRoleView | null
}

/** The identities of one run. */
export class RunCredentials implements RunSessions {
  readonly #roles: ReadonlyMap<string, TestRoleView>
  readonly #sessions: Sessions | null
  readonly #roleUnderTest: TestRoleView | null
  /** Sessions of stored values where nobody keeps them; one object for each, for they are compared. */
  readonly #stored = new Map<RoleCredential, SessionState | null>()
  readonly #sessionProbes = new Map<string, SessionProbe>()

  constructor(roles: readonly TestRoleView[], options: RunCredentialOptions = {}) {
    this.#roles = new Map(roles.map((role) => [role.name, role]))
    this.#sessions = options.sessions ?? null
    this.#roleUnderTest = options.roleUnderTest ?? null
  }

  /** Roles that have credentials, of whatever kind. */
  get usable(): ReadonlySet<string> {
    return new Set(
      [...this.#roles.values()].filter((role) => role.credentials.length > 0).map(({ name }) => name),
    )
  }

  /** Every stored secret, for the mask of evidence; sessions report those that logins put in place of `${…}`. */
  get secrets(): string[] {
    return [...this.#roles.values()]
      .flatMap((role) => role.credentials.flatMap(({ mechanism }) => mechanism.parameters))
      .flatMap(({ value }) => (value.includes('${') ? [] : [value]))
  }

  /** Signs roles in, all at the same time; failures are kept with them. */
  async begin(names: Iterable<string>): Promise<void> {
    const begun = [...new Set(names)].flatMap((name) =>
      (this.#roles.get(name)?.credentials ?? []).map(({ mechanism }) =>
        this.#sessions?.begin(mechanism, name),
      ),
    )
    await Promise.all(begun)
  }

  /** What keeps credentials of a role from being used; empty before it signed in. */
  problemsOf(name: string): LoginFailure[] {
    return (this.#roles.get(name)?.credentials ?? []).flatMap((entry) => {
      const problem = loginFailureIn(this.#stateOf(entry))
      return problem === null ? [] : [problem]
    })
  }

  /** Whether a role has a credential that can be used now. */
  canAct(name: string): boolean {
    const entries = this.#roles.get(name)?.credentials ?? []
    return entries.some((entry) => {
      const state = this.#stateOf(entry)
      return state !== null && !isLoginFailure(state)
    })
  }

  /** The role whose session a request carries in its headers, if it can sign in again; null for any other. */
  roleOf({ headers }: Pick<RequestDraft, 'headers'>): string | null {
    for (const { name, credentials } of this.#roles.values())
      for (const state of credentials.map((one) => this.#stateOf(one))) {
        if (state === null || isLoginFailure(state) || !state.isRenewable) continue
        // A key of the application, which all callers send, is not the session.
        const isCarried = ({ key, value }: CredentialParameter): boolean =>
          headers.some(
            (header) =>
              [key.toLowerCase(), 'cookie'].includes(header.name.toLowerCase()) &&
              header.value.includes(value),
          )
        const sent = state.parameters.filter(({ where, value }) => where === 'HEADER' && value !== '')
        if (sent.length > 0 && sent.every(isCarried)) return name
      }
    return null
  }

  /** Credentials as they are for one endpoint. */
  sourceFor(_endpoint: EndpointKey, sample: Exchange): CredentialSource {
    const attacker = this.#parametersOf(ATTACKER_ROLE, sample) ?? []
    const sent = attacker.filter(({ where, key }) => where === 'HEADER' && carries(sample, key.toLowerCase()))
    return {
      authHeaderNames: [...new Set([...namesIn(sample), ...this.#personal(sent, sample)])],
      authTypeKeys: { headers: [], bodyKeys: [] },
      parametersOf: (role) => this.#parametersOf(role, sample),
      attackerRole: ATTACKER_ROLE,
    }
  }

  /**
   * Names of headers of the attacker that say who is asking. What it has in common with the recorded caller or with another
   * role, beside credentials that differ, is the key of the application.
   */
  #personal(sent: readonly CredentialParameter[], sample: Exchange): string[] {
    const names = (parameters: readonly CredentialParameter[]): string[] =>
      parameters.map(({ key }) => key.toLowerCase())
    const others = [...this.#roles.keys()].flatMap((role) => {
      const parameters = this.#parametersOf(role, sample) ?? []
      return parameters.some((one) => !sent.some((own) => isSame(own, one))) ? [parameters] : []
    })
    const isAlike = ({ key, value }: CredentialParameter): boolean =>
      headerValue(sample.request.headers, key) === value
    const isRecorded = sent.some((one) => !isAlike(one))
    const isShared = (one: CredentialParameter): boolean =>
      (isRecorded && isAlike(one)) ||
      others.some((parameters) => parameters.some((other) => isSame(other, one)))
    return sent.length < 2 ? names(sent) : names(sent.filter((one) => !isShared(one)))
  }

  roleUnderTest(endpoint: EndpointKey): string | null {
    const role = this.#roleUnderTest
    return role !== null && roleReaches(role, endpoint) ? role.name : null
  }

  async ready(role: string, _endpoint: EndpointKey, sample: Exchange): Promise<LoginFailure | null> {
    const chosen = this.#chosen(role, sample)
    if (chosen === undefined) {
      const text = `The role ${role} has no credentials for this request: add some without conditions.`
      return { kind: 'needs configuration', text }
    }
    return loginFailureIn((await this.#sessions?.begin(chosen.mechanism, role)) ?? this.#stateOf(chosen))
  }

  async renew(
    role: string,
    _endpoint: EndpointKey,
    sample: Exchange,
    seenMs: number,
  ): Promise<LoginFailure | null> {
    const chosen = this.#chosen(role, sample)
    if (chosen === undefined || this.#sessions === null) return null
    return loginFailureIn(await this.#sessions.renew(chosen.mechanism, role, seenMs))
  }

  credentialOf(role: string, _endpoint: EndpointKey, sample: Exchange): string | null {
    return this.#chosen(role, sample)?.mechanism.id ?? null
  }

  sessionProbeOf(credential: string): SessionProbe | null {
    return this.#sessionProbes.get(credential) ?? null
  }

  noteSessionProbe(credential: string, probe: SessionProbe): void {
    this.#sessionProbes.set(credential, probe)
  }

  #parametersOf(name: string, sample: Exchange): readonly CredentialParameter[] | null {
    const chosen = this.#chosen(name, sample)
    const state = chosen === undefined ? null : this.#stateOf(chosen)
    return state === null || isLoginFailure(state) ? null : state.parameters
  }

  /** The first entry whose conditions hold for the request, else the first without conditions. */
  #chosen(name: string, sample: Exchange): RoleCredential | undefined {
    const entries = this.#roles.get(name)?.credentials ?? []
    return (
      entries.find((entry) => isConditional(entry) && fits(entry, sample)) ??
      entries.find((entry) => !isConditional(entry))
    )
  }

  #stateOf(credential: RoleCredential): SessionState | null {
    if (this.#sessions !== null) return this.#sessions.current(credential.mechanism)
    const known = this.#stored.get(credential)
    if (known !== undefined) return known
    const made = storedSession(credential.mechanism)
    this.#stored.set(credential, made)
    return made
  }
}

function loginFailureIn(state: SessionState | null): LoginFailure | null {
  return state !== null && isLoginFailure(state) ? state : null
}

function isConditional({ headerPairs, urlRegex }: RoleCredential): boolean {
  return urlRegex !== null || Object.keys(headerPairs).length > 0
}

/** The pattern must fit the whole URL, with or without its query, or only its path. */
function fits({ headerPairs, urlRegex }: RoleCredential, sample: Exchange): boolean {
  const { target, headers } = sample.request
  if (urlRegex !== null) {
    const pattern = compilePattern(`^(?:${urlRegex})$`)
    const address = target.split('?', 1)[0] ?? ''
    const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    if (typeof pattern === 'string' || ![target, address, path].some((text) => pattern.test(text)))
      return false
  }
  return Object.entries(headerPairs).every(([name, value]) => headerValue(headers, name) === value)
}

function isSame(one: CredentialParameter, other: CredentialParameter): boolean {
  return one.value === other.value && one.key.toLowerCase() === other.key.toLowerCase()
}

function carries({ request }: Exchange, name: string): boolean {
  return (
    headerValue(request.headers, name) !== undefined ||
    cookiesIn(request.headers).some((cookie) => cookie.name === name)
  )
}

/**
 * Headers and cookies of a sample that carry credentials, in lower case. Other headers that the inventory takes for a key or
 * a token count where there is nothing else: beside the credentials of a user they are often those of an application.
 */
export function namesIn({ request }: Exchange): string[] {
  const { headers } = request
  const namesWhere = (holds: (name: string, value: string) => boolean): string[] =>
    headers
      .filter((name, at) => at % 2 === 0 && holds(name, headers[at + 1] ?? ''))
      .map((name) => name.toLowerCase())
  const known = KNOWN_HEADERS.filter((name) => headerValue(headers, name) !== undefined)
  const own = namesWhere((name) => OWN_HEADER.test(name))
  const cookies = cookiesIn(headers).flatMap(({ name, value }) =>
    isSessionCookie(name, value) ? [name] : [],
  )
  const names = [...new Set([...known, ...own]), ...cookies]
  return names.length > 0 ? names : [...new Set(namesWhere(carriesKey))]
}

/** Cookies of a request, with their names in lower case. */
function cookiesIn(headers: Exchange['request']['headers']): { name: string; value: string }[] {
  return (headerValue(headers, 'cookie') ?? '')
    .split(';')
    .map((pair) => {
      const end = Math.max(pair.indexOf('='), 0)
      return { name: pair.slice(0, end).trim().toLowerCase(), value: pair.slice(end + 1) }
    })
    .filter(({ name }) => name !== '')
}
