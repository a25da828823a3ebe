import { type Rights, rightsOf } from '../../access/rights.ts'
import { absoluteUrl, parseSampleMessage } from '../../http/index.ts'
import type { AuditEntry } from '../../http/sender/index.ts'
import { Sender, type SendPurpose, TargetScope } from '../../http/sender/index.ts'
import type { Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type Callers,
  exchangeOf,
  type FlowPlayer,
  keepToken,
  keptToken,
  listRoles,
  loginHosts,
  mayUseRole,
  type OneTimeCodes,
  type SampleOrigin,
  type SampleShelf,
  Sessions,
  type TestRoleView,
} from '../../testing/index.ts'
import { RunCredentials } from './run-credentials.ts'

/** What the identities of a run are opened with. */
interface IdentityDeps {
  readonly store: Store
  readonly sealer: Sealer
  readonly own: readonly string[]
  readonly allowed: readonly string[]
  readonly verifiesTls: boolean
  readonly player: FlowPlayer | null
  readonly oneTimeCode: OneTimeCodes
  readonly audit: (entry: AuditEntry) => void
  /** Called with every problem of a role once. */
  readonly note: (sentence: string) => void
  /** Learns from sign-ins whose the credentials of roles are. */
  readonly callers: Callers
  /** Hears values that evidence must not show. */
  readonly secrets: (values: readonly string[]) => void
}

/** The identities of a run, and how its logins end. */
export interface RunIdentities {
  readonly credentials: RunCredentials
  readonly roles: readonly TestRoleView[]
  /** Null: the run keeps the recorded callers. */
  readonly roleUnderTest: TestRoleView | null
  close(): Promise<void>
}

/** Seconds that a kept session must still last. */
const KEPT_MARGIN = 60

/**
 * Makes the identities of a run ready to sign in. Logins have a separate way out: their scope is the hosts of the
 * run and those that people named in the steps of roles, which tests may not follow a target to.
 *
 * @param hosts hosts of the endpoints under test
 */
export async function openIdentities(
  deps: IdentityDeps,
  run: {
    readonly roleId: string | null
    readonly purpose: SendPurpose
    readonly origin: string | null
    /** For whom the run acts: nothing that this person may not use or see goes out. */
    readonly owner: Rights
  },
  hosts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<RunIdentities> {
  const { store, sealer } = deps
  const roles = (await listRoles(store, sealer)).filter((role) => mayUseRole(role, run.owner))
  const named = (text: string): TestRoleView | undefined =>
    roles.find(({ id }) => id === text) ?? roles.find(({ name }) => name === text)
  const roleUnderTest = run.roleId === null ? null : (named(run.roleId) ?? null)
  const loginTargets = roles.flatMap((role) =>
    role.credentials.flatMap(({ mechanism }) => loginHosts(mechanism)),
  )
  const sender = new Sender({
    scope: new TargetScope([...hosts, ...loginTargets], deps.own, deps.allowed),
    requestsPerMinute: 0,
    verifiesTls: deps.verifiesTls,
    audit: deps.audit,
  })
  const purpose: SendPurpose = { ...run.purpose, kind: 'login' }
  const sessions = new Sessions({
    async send(request, options) {
      const sent = await sender.send(request, { ...options, signal, purpose })
      deps.callers.learnSignIn(exchangeOf(request, sent.response))
      return sent
    },
    sampleOf: (origin, author) => permittedSample(store, origin, author, run.owner),
    player: deps.player,
    oneTimeCode: deps.oneTimeCode,
    origin: run.origin,
    signal,
    keeper: {
      kept: (id) => keptToken(store, sealer, id, KEPT_MARGIN),
      keep: (id, text, expiresAt) => keepToken(store, sealer, id, text, expiresAt),
    },
    note: deps.note,
    secrets: deps.secrets,
  })
  return {
    credentials: new RunCredentials(roles, { sessions, roleUnderTest }),
    roles,
    roleUnderTest,
    close: () => sender.close(),
  }
}

/** The origin that logins go to which name none: the only one of the samples, or that of the run's other target. */
export function onlyOrigin(samples: SampleShelf): string | null {
  const origins = new Set(
    samples.all().flatMap(({ request }) => {
      const url = absoluteUrl(request)
      return URL.canParse(url) ? [new URL(url).origin] : []
    }),
  )
  const [only] = origins
  return origins.size === 1 && only !== undefined ? only : null
}

/** The newest sample of an endpoint, when both the author of the credential that names it and its user may see it. */
export async function permittedSample(
  store: Store,
  origin: SampleOrigin,
  author: string,
  user: Rights,
): Promise<ReturnType<typeof parseSampleMessage> | null> {
  for (const { collectionIds } of [user, await rightsOf(store, author)])
    if (collectionIds !== null && !collectionIds.includes(origin.collectionId)) return null
  return newestSample(store, origin)
}

/** The newest sample of an endpoint that succeeded. */
async function newestSample(
  store: Store,
  { collectionId, method, url }: SampleOrigin,
): Promise<ReturnType<typeof parseSampleMessage> | null> {
  const { rows } = await store.pool.query<{ message: string }>(
    `SELECT s.message FROM endpoints e JOIN endpoints m ON m.root_id = e.root_id JOIN samples s ON s.endpoint_id = m.id
     WHERE e.collection_id = $1 AND e.method = $2 AND e.url = $3 AND s.status BETWEEN 200 AND 399
     ORDER BY s.observed_at DESC, s.id DESC LIMIT 1`,
    [collectionId, method, url],
  )
  return rows[0] === undefined ? null : parseSampleMessage(rows[0].message)
}
