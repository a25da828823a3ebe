import type { Client } from '../contract/index.ts'
import { Failure, nearestWord } from '../kit/index.ts'

/**
 * Identifier of the collection with a name.
 *
 * @throws Failure BAD_COMMAND when none or several have it
 */
export async function collectionNamed(client: Client, name: string): Promise<number> {
  const { apiCollections } = await client.op.getAllCollectionsBasic({})
  const all = apiCollections ?? []
  const found = all.filter((one) => one.displayName === name || one.name === name)
  if (found.length === 1) return found[0]!.id
  if (found.length > 1)
    throw new Failure('BAD_COMMAND', {
      reason: `--collection: ${found.length} collections have the name ${name}`,
    })
  const nearest = nearestWord(
    name,
    all.map(({ displayName }) => displayName),
  )
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`
  throw new Failure('BAD_COMMAND', { reason: `--collection: no collection has the name ${name}${hint}` })
}
