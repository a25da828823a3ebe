import { splitUrl } from './decide.ts'
import type { Memory } from './memory.ts'
import type { TemplateEvidence } from './port.ts'

const MAX_EXAMPLES = 10

/** What each kind of evidence means, for people. */
const FACTOR_NOTES: Readonly<Record<string, string>> = {
  lexical: 'how much the values look like values rather than resource names',
  cardinality: 'how many distinct values stand here',
  growth: 'new values keep coming',
  recurrence: 'the same values recur under many different parents, as resource names do',
  role: 'the segment after the same word is a parameter elsewhere',
  known: 'values were seen as parameters elsewhere',
  richness: 'many equal endpoints lie below the values',
  support: 'what lies below the values is alike',
}

/** Who decided, in the words of the interface. */
const DECIDERS = { evidence: 'ENGINE', budget: 'ENGINE', route: 'DOCUMENT', person: 'USER' } as const

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
  if (explanation === null) return null
  const { positions } = explanation
  return {
    template: url,
    decidedBy: DECIDERS[explanation.decidedBy],
    distinctValues: Math.max(0, ...positions.map((position) => position.distinctValues)),
    examples: [...new Set(positions.flatMap((position) => position.examples))].slice(0, MAX_EXAMPLES),
    factors: positions.flatMap(({ position, factors }) =>
      factors.map(({ name, value }) => ({ position, name, value, note: FACTOR_NOTES[name] ?? '' })),
    ),
    literalSiblings: positions.flatMap(({ literalSiblings }) =>
      literalSiblings.map(({ value, reason }) => ({ value, reason })),
    ),
  }
}
