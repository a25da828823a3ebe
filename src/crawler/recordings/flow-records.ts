import { newHexId, nowSeconds, type Sealer } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'

/** Seconds for which a result can be fetched. */
const RESULT_SECONDS = 600
/** Seconds after which a flow that nobody finished counts as failed. */
const GIVE_UP_SECONDS = 300
/** Seconds for which pictures are kept. */
const PICTURE_SECONDS = 30 * 86_400
/** Pictures of one login that are kept. */
const MAX_PICTURES = 60

/** What is to be played. Holds secrets. */
export interface NewFlow {
  readonly ownerId: number
  readonly roleName: string
  /** Executor that the caller named; null for none. */
  readonly executor: string | null
  readonly content: string
  readonly tokenFetchCommand: string
}

/** A flow as its owner sees it. */
interface RecordedFlowView {
  readonly id: string
  readonly ownerId: number
  readonly state: 'SCHEDULED' | 'RUNNING' | 'COMPLETED' | 'FAILED'
  /** Why it failed, for people; null otherwise. */
  readonly problem: string | null
  readonly createdAt: number
  readonly endedAt: number
  readonly sealedResult: string | null
}

/** A flow that this process is to play. */
interface ClaimedFlow extends NewFlow {
  readonly id: string
}

/** A picture of a login. */
interface FlowPicture {
  /** PNG. */
  readonly picture: Buffer
  /** Epoch seconds. */
  readonly takenAt: number
}

const COLUMNS = `id, owner_id AS "ownerId", state, problem, created_at AS "createdAt", ended_at AS "endedAt",
  sealed_result AS "sealedResult"`

function purposeOf(id: string): string {
  return `recorded-flow:${id}`
}

/** Stores a flow to be played, in the place of the owner's last one; @returns its id. */
export async function createFlow(store: Store, sealer: Sealer, flow: NewFlow): Promise<string> {
  const now = nowSeconds()
  const id = newHexId(now)
  const { content, tokenFetchCommand, ownerId, roleName, executor } = flow
  // One statement: of two uploads at once the later one stands, and neither meets the other's row.
  await store.pool.query(
    `INSERT INTO recorded_flows (id, owner_id, role_name, executor, state, sealed_input, created_at)
     VALUES ($1, $2, $3, $4, 'SCHEDULED', $5, $6)
     ON CONFLICT (owner_id) DO UPDATE SET id = excluded.id, role_name = excluded.role_name,
       executor = excluded.executor, state = excluded.state, sealed_input = excluded.sealed_input,
       sealed_result = NULL, problem = NULL, created_at = excluded.created_at, seen_at = 0, ended_at = 0`,
    [
      id,
      ownerId,
      roleName,
      executor,
      sealer.seal(JSON.stringify({ content, tokenFetchCommand }), purposeOf(id)),
      now,
    ],
  )
  return id
}

/** Takes the flow that has waited longest and that nobody plays: a process silent for so long counts as dead. */
export async function claimFlow(
  store: Store,
  sealer: Sealer,
  silentSeconds: number,
): Promise<ClaimedFlow | null> {
  const now = nowSeconds()
  const { rows } = await store.pool.query<{
    id: string
    ownerId: number
    roleName: string
    executor: string | null
    sealedInput: string
  }>(
    `UPDATE recorded_flows SET state = 'RUNNING', seen_at = $1 WHERE id = (
       SELECT id FROM recorded_flows WHERE state IN ('SCHEDULED', 'RUNNING') AND seen_at < $2
       ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, owner_id AS "ownerId", role_name AS "roleName", executor, sealed_input AS "sealedInput"`,
    [now, now - silentSeconds],
  )
  const [row] = rows
  if (row === undefined) return null
  const { sealedInput, ...flow } = row
  const input = JSON.parse(sealer.open(sealedInput, purposeOf(row.id))) as Pick<
    NewFlow,
    'content' | 'tokenFetchCommand'
  >
  return { ...flow, ...input }
}

/** A heartbeat; false when the flow is no longer wanted. */
export async function keepFlow(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `UPDATE recorded_flows SET seen_at = $2 WHERE id = $1 AND state = 'RUNNING'`,
    [id, nowSeconds()],
  )
  return rowCount === 1
}

/** Gives a flow back unfinished, as at a shutdown. */
export async function releaseFlow(store: Store, id: string): Promise<void> {
  await store.pool.query(`UPDATE recorded_flows SET seen_at = 0 WHERE id = $1 AND state = 'RUNNING'`, [id])
}

/** Ends a flow with its result, which is sealed, or with why there is none. What was typed is forgotten. */
export async function endFlow(
  store: Store,
  sealer: Sealer,
  id: string,
  end: { readonly result: string } | { readonly problem: string },
): Promise<void> {
  const isGood = 'result' in end
  await store.pool.query(
    `UPDATE recorded_flows SET state = $2, sealed_result = $3, problem = $4, ended_at = $5, sealed_input = ''
     WHERE id = $1 AND state = 'RUNNING'`,
    [
      id,
      isGood ? 'COMPLETED' : 'FAILED',
      isGood ? sealer.seal(end.result, purposeOf(id)) : null,
      isGood ? null : end.problem,
      nowSeconds(),
    ],
  )
}

/** The flow of an id; null without one. */
export async function findFlow(store: Store, id: string): Promise<RecordedFlowView | null> {
  const { rows } = await store.pool.query<RecordedFlowView>(
    `SELECT ${COLUMNS} FROM recorded_flows WHERE id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** The last flow of a person; null without one. */
export async function latestFlow(store: Store, ownerId: number): Promise<RecordedFlowView | null> {
  const { rows } = await store.pool.query<RecordedFlowView>(
    `SELECT ${COLUMNS} FROM recorded_flows WHERE owner_id = $1`,
    [ownerId],
  )
  return rows[0] ?? null
}

/** The result of a completed flow; null when there is none. @throws Failure SEAL_BROKEN */
export function openFlowResult(sealer: Sealer, { id, sealedResult }: RecordedFlowView): string | null {
  return sealedResult === null ? null : sealer.open(sealedResult, purposeOf(id))
}

/** Keeps a picture of a flow; the first one takes the place of those of its owner's last flow of the role. */
export async function keepPicture(
  store: Store,
  flow: Pick<ClaimedFlow, 'id' | 'roleName' | 'ownerId'>,
  position: number,
  picture: Uint8Array,
): Promise<void> {
  if (position >= MAX_PICTURES) return
  await usingTransaction(store.pool, async (client) => {
    await client.query(
      'DELETE FROM login_pictures WHERE role_name = $1 AND owner_id = $4 AND (flow_id <> $2 OR position >= $3)',
      [flow.roleName, flow.id, position, flow.ownerId],
    )
    await client.query(
      `INSERT INTO login_pictures (role_name, owner_id, flow_id, position, picture, taken_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [flow.roleName, flow.ownerId, flow.id, position, Buffer.from(picture), nowSeconds()],
    )
  })
}

/** Pictures of the last flow of a role, of one owner or (null) of anybody, in the order they were taken. */
export async function picturesOf(
  store: Store,
  roleName: string,
  ownerId: number | null,
): Promise<FlowPicture[]> {
  const { rows } = await store.pool.query<FlowPicture>(
    `SELECT picture, taken_at AS "takenAt" FROM login_pictures WHERE role_name = $1 AND flow_id = (
       SELECT flow_id FROM login_pictures WHERE role_name = $1 AND ($2::integer IS NULL OR owner_id = $2)
       ORDER BY taken_at DESC, flow_id DESC LIMIT 1) ORDER BY position`,
    [roleName, ownerId],
  )
  return rows
}

/** Fails flows that nobody finished in time, and removes those whose results are old, and old pictures. */
export async function removeOldFlows(store: Store): Promise<void> {
  const now = nowSeconds()
  await store.pool.query(
    `UPDATE recorded_flows SET state = 'FAILED', problem = 'nobody played it within 300 seconds', ended_at = $1,
       sealed_input = '' WHERE state IN ('SCHEDULED', 'RUNNING') AND created_at < $2`,
    [now, now - GIVE_UP_SECONDS - 30],
  )
  await store.pool.query('DELETE FROM login_pictures WHERE taken_at < $1', [now - PICTURE_SECONDS])
  await store.pool.query('DELETE FROM recorded_flows WHERE ended_at > 0 AND ended_at < $1', [
    now - RESULT_SECONDS,
  ])
}
