import { type Rights, rightsOf } from '../../access/rights.ts'
import type { JobFlow } from '../../crawler/index.ts'
import { type AuditEntry, Sender, type SendPurpose, TargetScope } from '../../http/sender/index.ts'
import { type Log, reportError, type Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type AuthMechanismView,
  findRole,
  isDefault,
  isLoginFailure,
  loginHosts,
  mayUseRole,
  type SessionState,
  Sessions,
} from '../../testing/index.ts'
import { oneTimeCodes } from '../recordings/one-time-codes.ts'
import { permittedSample } from '../test-runs/run-identities.ts'

const LOGIN_PATIENCE_MS = 120_000
const PURPOSE: SendPurpose = { kind: 'login', runId: null, summaryId: null, testId: null, user: null }

/** What a test role signs a crawl in with. Holds secrets. */
export interface RoleLogin {
  readonly name: string | null
  /** Headers for requests in scope. */
  readonly headers: Readonly<Record<string, string>>
  /** A recorded login, to be replayed where the crawl runs. */
  readonly flow: JobFlow | null
  /** Why there is nothing, for people; null when all is well. */
  readonly error: string | null
}

/** What signing in needs of the installation. */
export interface RoleLoginDeps {
  readonly store: Store
  readonly sealer: Sealer
  readonly log: Log
  /** Listeners of this installation, `address:port`. */
  readonly own: readonly string[]
  /** Hosts and ranges that the operator allows. */
  readonly allowed: readonly string[]
  readonly verifiesTls: boolean
  readonly audit: (entry: AuditEntry) => void
}

/** A crawl without a role. */
export const noRole: RoleLogin = { name: null, headers: {}, flow: null, error: null }

/**
 * Signs in the default credentials of a role for a crawl of a URL; what fails is reported, never thrown.
 *
 * @param login of the person for whom the crawl acts
 */
export async function roleLogin(
  deps: RoleLoginDeps,
  roleId: string,
  hostname: string,
  login: string,
): Promise<RoleLogin> {
  const role = await findRole(deps.store, deps.sealer, roleId)
  const user = await rightsOf(deps.store, login)
  if (role === undefined || !mayUseRole(role, user))
    return { ...noRole, error: `Test role not found for id: ${roleId}` }
  const { name } = role
  const mechanism = role.credentials.find(isDefault)?.mechanism
  if (mechanism === undefined) {
    return { ...noRole, name, error: `No default auth mechanism configured for test role: ${name}` }
  }
  if (mechanism.flow !== null) return { ...noRole, name, flow: flowOf(mechanism) }
  try {
    const state = await signIn(deps, mechanism, { name, hostname, user })
    if (isLoginFailure(state))
      return { ...noRole, name, error: `Could not fetch access token: ${state.text}` }
    const headers = state.parameters.flatMap(({ where, key, value }) =>
      where === 'HEADER' ? [[key, value]] : [],
    )
    if (headers.length > 0) return { ...noRole, name, headers: Object.fromEntries(headers) }
    return { ...noRole, name, error: `The test role ${name} has no header to sign in with` }
  } catch (error) {
    deps.log.warn('part.failed', { part: 'login of a crawl', error: reportError(error) })
    return { ...noRole, name, error: 'Could not fetch access token: the login broke off; the log says why.' }
  }
}

async function signIn(
  deps: RoleLoginDeps,
  mechanism: AuthMechanismView,
  { name, hostname, user }: { readonly name: string; readonly hostname: string; readonly user: Rights },
): Promise<SessionState> {
  const { host, origin } = new URL(hostname)
  const signal = AbortSignal.timeout(LOGIN_PATIENCE_MS)
  const sender = new Sender({
    scope: new TargetScope([host, ...loginHosts(mechanism)], deps.own, deps.allowed),
    requestsPerMinute: 0,
    verifiesTls: deps.verifiesTls,
    audit: deps.audit,
  })
  const sessions = new Sessions({
    send: (request, options) => sender.send(request, { ...options, signal, purpose: PURPOSE }),
    sampleOf: (place, author) => permittedSample(deps.store, place, author, user),
    player: null,
    oneTimeCode: oneTimeCodes(deps.store),
    origin,
    signal,
    keeper: null,
    note: () => {}, // the state says it
    secrets: () => {}, // a crawl makes no evidence
  })
  try {
    return await sessions.begin(mechanism, name)
  } finally {
    await sender.close()
  }
}

/** The recorded login of a mechanism, and the header that its first parameter puts the token in. */
function flowOf({ flow, parameters }: AuthMechanismView): JobFlow {
  const parameter = parameters.find(
    ({ where, value }) => where.toUpperCase() === 'HEADER' && /[$#]/.test(value),
  )
  return {
    content: flow?.content ?? '',
    tokenFetchCommand: flow?.tokenFetchCommand ?? '',
    header: parameter?.key ?? '',
    prefix: parameter?.value.replace(/[$#].*$/s, '') ?? '',
  }
}
