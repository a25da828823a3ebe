import { nowSeconds, type Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import type { PendingWrite, WriteKeeper, WriteLevel } from '../writes/index.ts'
import { noteProblem } from './run-log.ts'

/** A test with its waits and what it undoes takes no longer than this; then its process counts as dead. */
const HELD_SECONDS = 300
/** A process that undoes something holds it for so long. */
const LEASE_SECONDS = 120
/** Seconds before the next try, by the tries that failed; after the last the write is given up. */
const RETRY_SECONDS = [60, 600, 3_600, 6 * 3_600, 24 * 3_600] as const
/** Writes that one look takes. */
const BATCH = 50

/** An execution as writes name it. */
interface WritingExecution {
  readonly runId: string
  readonly summaryId: string
  readonly user: string
}

/** A write that is to be undone, with its execution. */
export interface DueWrite extends WritingExecution {
  readonly write: PendingWrite
}

/** How the writes of an execution are kept. */
interface KeeperRules {
  /** Epoch seconds until which only this process undoes them; absent: as long as a test takes. */
  readonly heldUntil?: number | undefined
  /** The role whose session a request carries, if it can sign in again; null for any other. */
  readonly roleOf: (draft: RequestDraft) => string | null
  /** Where roles sign in whose logins name no host; null where the run has several. */
  readonly loginOrigin: string | null
}

/** Keeps the writes of an execution in the store, sealed: they hold credentials. */
export function writeKeeper(
  store: Store,
  sealer: Sealer,
  { runId, summaryId, user }: WritingExecution,
  { heldUntil, roleOf, loginOrigin }: KeeperRules,
): WriteKeeper {
  // A write that is kept again, when its answer has come, may carry a session that was renewed meanwhile.
  const roles = new Map<string, readonly (string | undefined)[]>()
  const rolesOf = ({ id, callers }: PendingWrite): readonly (string | undefined)[] => {
    const known = roles.get(id)
    const found = callers.map((one, at) => roleOf(one) ?? known?.[at])
    roles.set(id, found)
    return found
  }
  return {
    async keep(write) {
      const now = nowSeconds()
      const senders = rolesOf(write)
      const callers = write.callers.map((one, at) => ({ ...one, role: senders[at] }))
      await store.pool.query(
        `INSERT INTO run_writes (id, run_id, summary_id, user_login, sealed_write, created_at, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (id) DO UPDATE SET sealed_write = excluded.sealed_write, due_at = excluded.due_at`,
        [
          write.id,
          runId,
          summaryId,
          user,
          sealer.seal(JSON.stringify({ ...write, callers, loginOrigin }), purposeOf(write.id)),
          now,
          heldUntil ?? now + HELD_SECONDS,
        ],
      )
    },
    done(id) {
      roles.delete(id)
      return forgetWrite(store, id)
    },
    postpone(id, reason) {
      roles.delete(id)
      return postponeWrite(store, id, reason, true)
    },
  }
}

/** It is undone. */
export async function forgetWrite(store: Store, id: string): Promise<void> {
  await store.pool.query('DELETE FROM run_writes WHERE id = $1', [id])
}

/**
 * It could not be undone now. The log of its run says so; after the last try, that it stays.
 * @param isQuiet the end of the execution tries again, with sessions begun anew: nobody hears of it yet
 */
export async function postponeWrite(
  store: Store,
  id: string,
  reason: string,
  isQuiet = false,
): Promise<void> {
  const now = nowSeconds()
  const { rows } = await store.pool.query<{ summaryId: string; tries: number }>(
    `UPDATE run_writes SET tries = tries + 1, problem = $2,
       due_at = $3 + coalesce(($4::integer[])[tries + 1], 0)
     WHERE id = $1 RETURNING summary_id AS "summaryId", tries`,
    [id, reason.slice(0, 500).replaceAll('\0', ''), now, [...RETRY_SECONDS]],
  )
  const [row] = rows
  if (row === undefined) return
  const isGivenUp = row.tries > RETRY_SECONDS.length
  if (isGivenUp) await forgetWrite(store, id)
  if (isGivenUp || (!isQuiet && row.tries <= 2)) {
    const sentence = isGivenUp
      ? `Not undone: ${reason}. Vigil does not try again.`
      : `Not undone yet: ${reason}. Vigil tries again.`
    await noteProblem(store, row.summaryId, sentence, now)
  }
}

/** What a dead process of this installation left behind may be undone at once: no other one can hold it. */
export async function releaseWrites(store: Store): Promise<void> {
  await store.pool.query('UPDATE run_writes SET due_at = least(due_at, $1)', [nowSeconds()])
}

/** Writes of one execution that has ended. */
interface EndedExecution {
  readonly summaryId: string
  /** Those that were tried since it ended; what a test has postponed is tried once more, without waiting. */
  readonly tried: readonly string[]
}

/**
 * Takes writes that nobody holds any more, or those of one execution that has ended, the last first.
 * @param ended null for every execution
 */
export async function takeDueWrites(
  store: Store,
  sealer: Sealer,
  ended: EndedExecution | null,
): Promise<DueWrite[]> {
  const now = nowSeconds()
  const { rows } = await store.pool.query<WritingExecution & { id: string; sealed: string }>(
    `UPDATE run_writes w SET due_at = $1 + ${LEASE_SECONDS}
     FROM (SELECT id FROM run_writes
           WHERE ($2::text IS NULL AND due_at <= $1)
             -- Who has taken one holds it for longer than it waits after its first try.
             OR (summary_id = $2 AND id <> ALL ($3::text[])
               AND (tries = 0 OR (tries = 1 AND due_at <= $1 + ${RETRY_SECONDS[0]})))
           ORDER BY created_at DESC, id DESC LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) d
     WHERE w.id = d.id
     RETURNING w.id, w.run_id AS "runId", w.summary_id AS "summaryId", w.user_login AS "user",
       w.sealed_write AS sealed`,
    [now, ended?.summaryId ?? null, ended?.tried ?? []],
  )
  return rows
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map(({ id, sealed, ...execution }) => ({
      ...execution,
      write: JSON.parse(sealer.open(sealed, purposeOf(id))) as PendingWrite,
    }))
}

function purposeOf(id: string): string {
  return `run-write:${id}`
}

/** What the runs that found issues last were allowed to write: a retest of them needs the same. */
export async function writeRulesOfIssues(
  store: Store,
  issueIds: readonly number[],
): Promise<{ cleansUp: boolean; writeLevel: WriteLevel }> {
  const { rows } = await store.pool.query<{ cleansUp: boolean; writeLevel: WriteLevel }>(
    `SELECT DISTINCT ON (r.issue_id) k.cleans_up AS "cleansUp", k.write_level AS "writeLevel"
     FROM run_results r JOIN run_summaries s ON s.id = r.summary_id JOIN run_configurations k ON k.id = s.config_id
     WHERE r.issue_id = ANY ($1::integer[]) ORDER BY r.issue_id, r.id DESC`,
    [issueIds],
  )
  return {
    cleansUp: rows.every(({ cleansUp }) => cleansUp),
    writeLevel: rows.some(({ writeLevel }) => writeLevel === 'ALL') ? 'ALL' : 'REVERSIBLE',
  }
}
