import { type Exchange, headerValue } from '../../http/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import type { ConditionEndpoint, Lookups } from '../../rules/index.ts'
import type { Store } from '../../store/index.ts'
import {
  ATTACKER_ROLE,
  type EndpointKey,
  type SessionTools,
  statusAs,
  type Template,
  type TestRoleView,
} from '../../testing/index.ts'
import { roleReaches } from './role-endpoints.ts'

/** Methods that may be asked without changing anything (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD'])
/** What was learned of a role at an endpoint counts for so long. */
const FRESH_SECONDS = 24 * 3600
/** Requests that one run sends to learn; the next continues from there. */
const MAX_ASKED = 2_000
const AT_ONCE = 8

interface MatrixRow {
  collectionId: number
  method: string
  url: string
  role: string
  isReached: boolean
  at: number
}

/**
 * Which roles reach which endpoints. What a person declared as the endpoints of a role counts, unless the target refused
 * the role there; of a role without conditions only what was seen counts, and the rest is unknown.
 */
export class AccessMatrix {
  readonly #roles: readonly TestRoleView[]
  readonly #rows = new Map<string, MatrixRow>()

  constructor(roles: readonly TestRoleView[], rows: readonly MatrixRow[]) {
    this.#roles = roles.filter(({ name, credentials }) => name !== ATTACKER_ROLE && credentials.length > 0)
    for (const row of rows) this.note(row)
  }

  get roles(): readonly string[] {
    return this.#roles.map(({ name }) => name)
  }

  note(row: MatrixRow): void {
    this.#rows.set(keyOf(row, row.role), row)
  }

  /** Whether a role was seen at an endpoint lately. */
  isFresh(endpoint: ConditionEndpoint, role: string, now: number): boolean {
    const row = this.#rows.get(keyOf(endpoint, role))
    return row !== undefined && row.at > now - FRESH_SECONDS
  }

  rolesOf(endpoint: ConditionEndpoint): string[] {
    return this.#roles.filter((role) => this.#access(role, endpoint) === true).map(({ name }) => name)
  }

  isUnknown(endpoint: ConditionEndpoint, name: string): boolean {
    const role = this.#roles.find((one) => one.name === name)
    return role !== undefined && this.#access(role, endpoint) === null
  }

  #access(role: TestRoleView, endpoint: ConditionEndpoint): boolean | null {
    const row = this.#rows.get(keyOf(endpoint, role.name))
    if (row?.isReached === false) return false
    const isDeclared = role.andConditions !== null || role.orConditions !== null
    return isDeclared ? roleReaches(role, endpoint) : (row?.isReached ?? null)
  }
}

function keyOf({ collectionId, method, url }: ConditionEndpoint, role: string): string {
  return `${collectionId} ${method} ${url} ${role}`
}

/**
 * The matrix of the endpoints of a run. Where a test asks for it, what is not known is learned first: from the samples
 * that carry the credentials of a role, and by asking endpoints that only read as each role.
 *
 * @param scope.keeps false: what was learned is not stored
 * @throws Failure SEND_STOPPED when the run ended meanwhile
 */
export async function openMatrix(
  store: Store,
  roles: readonly TestRoleView[],
  {
    endpoints,
    templates,
    keeps = true,
  }: { endpoints: readonly EndpointKey[]; templates: Iterable<Template>; keeps?: boolean },
  tools: SessionTools,
): Promise<AccessMatrix> {
  const collections = [...new Set(endpoints.map(({ collectionId }) => collectionId))]
  const { rows } = await store.pool.query<MatrixRow>(
    `SELECT collection_id AS "collectionId", method, url, role_name AS role, is_reached AS "isReached",
       updated_at AS at FROM access_matrix WHERE collection_id = ANY ($1::integer[])`,
    [collections],
  )
  const matrix = new AccessMatrix(roles, rows)
  const isAsked = [...templates].some(({ needs }) => needs.some(({ kind }) => kind === 'access matrix'))
  if (!isAsked) return matrix
  const learned = [...fromSamples(matrix, endpoints, tools), ...(await fromAsking(matrix, endpoints, tools))]
  if (keeps) await keepRows(store, learned)
  return matrix
}

/** Look-ups with the answers of a matrix. */
export function withMatrix(lookups: Lookups, matrix: AccessMatrix): Lookups {
  return {
    ...lookups,
    rolesOf: (endpoint) => matrix.rolesOf(endpoint),
    isAccessUnknown: (endpoint, role) => matrix.isUnknown(endpoint, role),
  }
}

/** A sample that succeeded with the credentials of a role shows that the role reaches its endpoint. */
function fromSamples(
  matrix: AccessMatrix,
  endpoints: readonly EndpointKey[],
  tools: SessionTools,
): MatrixRow[] {
  const learned: MatrixRow[] = []
  for (const endpoint of endpoints) {
    const sample = tools.sampleOf(endpoint)
    if (sample === null || !isGood(sample.response.status)) continue
    const credentials = tools.credentialsFor(endpoint, sample)
    for (const role of matrix.roles) {
      const parameters = credentials.parametersOf(role) ?? []
      if (!parameters.some(({ where, key, value }) => where === 'HEADER' && carries(sample, key, value)))
        continue
      const row = { ...endpoint, role, isReached: true, at: nowSeconds() }
      matrix.note(row)
      learned.push(row)
    }
  }
  return learned
}

function carries({ request }: Exchange, key: string, value: string): boolean {
  if (headerValue(request.headers, key) === value) return true
  const cookies = (headerValue(request.headers, 'cookie') ?? '').split(';')
  return cookies.some((pair) => pair.trim() === `${key}=${value}`)
}

async function fromAsking(
  matrix: AccessMatrix,
  endpoints: readonly EndpointKey[],
  tools: SessionTools,
): Promise<MatrixRow[]> {
  const now = nowSeconds()
  const questions = endpoints
    .filter(({ method }) => SAFE_METHODS.has(method))
    .flatMap((endpoint) => matrix.roles.map((role) => ({ endpoint, role })))
    .filter(({ endpoint, role }) => !matrix.isFresh(endpoint, role, now))
    .slice(0, MAX_ASKED)
  const learned: MatrixRow[] = []
  const work = async (): Promise<void> => {
    for (let next = questions.shift(); next !== undefined; next = questions.shift()) {
      const { endpoint, role } = next
      const isReached = await answerAs(role, endpoint, tools)
      if (isReached === null) continue
      const row = { ...endpoint, role, isReached, at: nowSeconds() }
      matrix.note(row)
      learned.push(row)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return learned
}

/** True for a good answer, false for a refusal, null for anything that says neither, such as a session that died. */
async function answerAs(role: string, endpoint: EndpointKey, tools: SessionTools): Promise<boolean | null> {
  try {
    const status = await statusAs(role, endpoint, tools)
    if (status === null) return null
    return isGood(status) ? true : status === 403 || status === 404 ? false : null
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    return null // a host that does not answer says nothing
  }
}

/** Some products answer 250 to what they do not serve. */
function isGood(status: number): boolean {
  return status >= 200 && status <= 299 && status !== 250
}

async function keepRows(store: Store, rows: readonly MatrixRow[]): Promise<void> {
  if (rows.length === 0) return
  const once = [...new Map(rows.map((row) => [keyOf(row, row.role), row])).entries()].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const kept = once.map(([, row]) => row)
  await store.pool.query(
    `INSERT INTO access_matrix (collection_id, method, url, role_name, is_reached, updated_at)
     SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::integer[])
     ON CONFLICT (collection_id, method, url, role_name)
     DO UPDATE SET is_reached = excluded.is_reached, updated_at = excluded.updated_at`,
    [
      kept.map((row) => row.collectionId),
      kept.map((row) => row.method),
      kept.map((row) => row.url),
      kept.map((row) => row.role),
      kept.map((row) => row.isReached),
      kept.map((row) => row.at),
    ],
  )
}
