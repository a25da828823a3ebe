import { nowSeconds, type Sealer } from '../../kit/index.ts'
import { newRecordKey, type RecordKey } from '../../reports/index.ts'
import type { Store } from '../../store/index.ts'

/** Ends with the id of the row, as the rotation of the instance key expects. */
const PURPOSE = 'record-key:1'

/** The key that signs test records, made at its first use and kept sealed. */
export async function recordKey(store: Store, sealer: Sealer): Promise<RecordKey> {
  const made = newRecordKey()
  await store.pool.query(
    `INSERT INTO record_keys (id, public_key, sealed_private_key, created_at) VALUES (1, $1, $2, $3)
     ON CONFLICT (id) DO NOTHING`,
    [made.publicKey, sealer.seal(made.privateKey, PURPOSE), nowSeconds()],
  )
  const { rows } = await store.pool.query<{ publicKey: string; sealed: string }>(
    'SELECT public_key AS "publicKey", sealed_private_key AS sealed FROM record_keys WHERE id = 1',
  )
  const { publicKey, sealed } = rows[0]!
  return { publicKey, privateKey: sealer.open(sealed, PURPOSE) }
}
