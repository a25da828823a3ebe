import { checkedName, labelCollections } from '../../inventory/index.ts'
import { Failure } from '../../kit/index.ts'
import type { Call } from '../handler.ts'
import { newCollection } from '../new-collection.ts'
import { requireGranted } from '../require-collection.ts'

/** Label of collections that crawls feed. */
const LABEL = { keyName: 'dast', value: 'DAST' } as const

/**
 * The collection that receives what a crawl captures: the one that has the name given, or that of the host; made when
 * there is none. It is labelled as one of a crawl.
 *
 * @param name null for the host
 * @throws Failure for a bad name, COLLECTION_DENIED, GROUP_TARGET, DEACTIVATED_COLLECTION
 */
export async function crawlCollection(
  { app, caller }: Pick<Call, 'app' | 'caller'>,
  hostname: string,
  name: string | null,
): Promise<number> {
  const url = new URL(hostname)
  // Two applications on one machine differ in their ports only.
  const wanted = name === null ? url.host : checkedName(name)
  const { rows } = await app.store.pool.query<{ id: number; kind: string; is_deactivated: boolean }>(
    `SELECT id, kind, is_deactivated FROM collections WHERE name = $1 OR host_name = $1
     ORDER BY name <> $1, id LIMIT 1`,
    [wanted],
  )
  const [known] = rows
  if (known !== undefined) {
    requireGranted(caller, known.id)
    if (known.kind === 'GROUP') throw new Failure('GROUP_TARGET', {})
    if (known.is_deactivated) throw new Failure('DEACTIVATED_COLLECTION', {})
  }
  const id = known?.id ?? (await newCollection(app.access, caller, wanted))
  await labelCollections(app.store, [id], [LABEL], false)
  return id
}
