import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'

/** Steps are remembered for so long: no server takes a one-time code that is as old. */
const KEPT_SECONDS = 86_400
/**
 * This many steps may be given out in advance, one to each of those who sign in at the same moment. A step that is further
 * ahead than that was told by a clock that went wrong.
 */
const MOST_AHEAD = 40

/**
 * Gives a time step of one-time codes to somebody alone: no code is good for two logins (RFC 6238 section 5.2), no matter who
 * signs in with it.
 *
 * @param digest of the secret, hexadecimal
 * @param step the one that is now
 * @returns the first one from then on that nobody had
 */
export async function takeCodeStep(
  store: Store,
  digest: string,
  step: number,
  now = nowSeconds(),
): Promise<number> {
  await store.pool.query('DELETE FROM code_steps WHERE taken_at < $1', [now - KEPT_SECONDS])
  const { rows } = await store.pool.query<{ step: number }>(
    `INSERT INTO code_steps AS c (digest, step, taken_at) VALUES (decode($1, 'hex'), $2, $3)
     ON CONFLICT (digest) DO UPDATE SET taken_at = excluded.taken_at,
       step = CASE WHEN c.step >= excluded.step + ${MOST_AHEAD} THEN excluded.step
         ELSE greatest(c.step + 1, excluded.step) END
     RETURNING step`,
    [digest, step, now],
  )
  return Number(rows[0]!.step)
}
