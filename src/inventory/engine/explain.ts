import { splitUrl } from './decide.ts'
import type { Memory } from './memory.ts'
import type { TemplateEvidence } from './port.ts'

/** The evidence behind a template, or null when the URL is none. */
export async function explainTemplate(
  memory: Memory,
  collectionId: number,
  url: string,
): Promise<TemplateEvidence | null> {
  await memory.loadCollections([collectionId])
  const collection = memory.collections.get(collectionId)
  if (collection === undefined) return null
  const { origin, path } = splitUrl(url)
  const trie = await memory.trie(collection, origin)
  const explanation = trie.explain(path)
  return explanation === null ? null : { ...explanation, template: url }
}
