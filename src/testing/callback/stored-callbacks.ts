import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { CallbackShelf, Taken } from './shared-callbacks.ts'

/** Hits that are kept of one id; further ones are only counted. */
const MAX_HITS = 20
const FORGET_EVERY_SECONDS = 600

/**
 * Ids and calls in the store.
 *
 * @param onError hears what a statement failed of; a call that cannot be stored is not known
 */
export function storedCallbacks(store: Store, onError: (error: unknown) => void): CallbackShelf {
  let forgottenAt = 0
  const quietly = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      onError(error)
      return otherwise
    }
  }
  const unknown: Taken = { isKnown: false, redirectUrl: null }
  return {
    keep: (ids) =>
      quietly(async () => {
        await store.pool.query(
          `INSERT INTO callback_ids (id, redirect_url, expires_at)
           SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]) ON CONFLICT (id) DO NOTHING`,
          [ids.map((one) => one.id), ids.map((one) => one.redirectUrl), ids.map((one) => one.expiresAt)],
        )
        const now = nowSeconds()
        if (now - forgottenAt < FORGET_EVERY_SECONDS) return
        forgottenAt = now
        await store.pool.query('DELETE FROM callback_ids WHERE expires_at < $1', [now])
      }, undefined),
    hit: (ids, hit) =>
      quietly(async () => {
        const { rows } = await store.pool.query<{ redirect_url: string | null }>(
          `WITH known AS (
             UPDATE callback_ids SET hits_count = hits_count + 1
             WHERE id = ANY ($1::text[]) AND expires_at > $2 RETURNING id, redirect_url, hits_count),
           kept AS (
             INSERT INTO callback_hits (callback_id, hit_at, address, method, target, headers)
             SELECT id, $2, $3, $4, $5, $6::text[] FROM known WHERE hits_count <= $7)
           SELECT redirect_url FROM known ORDER BY redirect_url NULLS LAST`,
          [ids, hit.at, hit.address, hit.method, hit.target, hit.headers, MAX_HITS],
        )
        return { isKnown: rows.length > 0, redirectUrl: rows[0]?.redirect_url ?? null }
      }, unknown),
    counts: (ids) =>
      quietly(async () => {
        const { rows } = await store.pool.query<{ id: string; hits: number }>(
          `SELECT id, hits_count AS hits FROM callback_ids WHERE id = ANY ($1::text[]) AND hits_count > 0`,
          [ids],
        )
        return new Map(rows.map((row) => [row.id, row.hits]))
      }, new Map()),
  }
}
