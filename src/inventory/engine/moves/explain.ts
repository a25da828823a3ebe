import type { PositionExplanation, TemplateExplanation } from '../../../path-templates/index.ts'
import type { Store } from '../../../store/index.ts'
import type { Memory } from '../place/index.ts'
import type { TemplateEvidence } from '../port.ts'
import { splitUrl } from '../state/index.ts'
import { enginePaths } from './operation-moves.ts'

const MAX_EXAMPLES = 10
/** Weight shown for evidence that decides by itself: twice what a value needs. */
const DECISIVE = 3

/** What each piece of the score means, for people. */
const NOTES: Readonly<Record<string, string>> = {
  lexical: 'the values look like values (positive) or like names of resources (negative)',
  growth: 'new values keep coming',
  role: 'what follows the same word elsewhere is a parameter too',
  'known value': 'some of the values are values of a parameter elsewhere',
  richness: 'below most of the values stand the same endpoints',
  'like certain values': 'the words are answered like the values that are certain to be ids',
  'parent recurrence': 'whether the same words recur under many parents, as names of resources do',
  dominance: 'one of the words has most of the calls',
  'few words': 'only a few words were seen, and nothing else speaks for ids',
  'first segment': 'it is the first part of the path, where names of resources usually stand',
  'after a collection': 'the word before names a collection, which an id follows, or it does not',
  'odd one among certain values': 'a few words stand among certain ids',
  'names of collections': 'many of the words read like names of collections',
  'among static siblings': 'many neighbours lead to other kinds of answers',
  locales: 'the words are names of languages',
  'unlike its siblings': 'it is answered unlike its neighbours',
  'little known': 'too few calls to tell',
}

/** Why a neighbour stayed literal, where the name of the evidence says too little. */
const SIBLING_REASONS: Readonly<Record<string, string>> = {
  reserved: 'a word that never is a value, or a version',
  lexical: 'it reads like the name of a resource',
  cardinality: 'too few such values were seen',
  'too little evidence': 'too little was seen of it',
}

const NAMES_OF_FORMS: Readonly<Record<PositionExplanation['forms'][number]['form'], string>> = {
  integer: 'whole numbers',
  float: 'decimal numbers',
  objectId: 'object ids (24 hex digits)',
  uuid: 'UUIDs',
  hex: 'long hex numbers',
  ulid: 'ULIDs',
  date: 'dates',
  email: 'e-mail addresses',
  jwt: 'tokens (JWT)',
  ip: 'IP addresses',
  phone: 'phone numbers',
  opaque: 'random-looking tokens',
  list: 'lists of ids',
  word: 'words',
}

/** The evidence behind a template, or null when the URL is none. */
export async function explainTemplate(
  store: Store,
  memory: Memory,
  collectionId: number,
  url: string,
): Promise<TemplateEvidence | null> {
  await memory.loadCollections([collectionId])
  const collection = memory.collections.get(collectionId)
  if (collection === undefined) return null
  const { origin, path } = splitUrl(url)
  const trie = await memory.trie(collection, origin)
  let explanation: TemplateExplanation | null = null
  for (const base of await enginePaths(store.pool, collectionId, url, path)) {
    explanation = trie.explain(base)
    if (explanation !== null && explanation.positions.length > 0) break
  }
  if (explanation === null || explanation.positions.length === 0) return null
  const { positions } = explanation
  return {
    template: url,
    decidedBy: deciderOf(explanation),
    distinctValues: Math.max(0, ...positions.map((position) => position.distinctValues)),
    examples: [...new Set(positions.flatMap((position) => position.examples))].slice(0, MAX_EXAMPLES),
    factors: positions.flatMap((position) => factorsOf(position, explanation)),
    literalSiblings: positions.flatMap(({ literalSiblings }) =>
      literalSiblings.map(({ value, reason }) => ({
        value,
        reason: SIBLING_REASONS[reason] ?? NOTES[reason] ?? reason,
      })),
    ),
  }
}

/** Who decided, in the words of the interface: ENGINE, DOCUMENT, ROUTE, or the login of a person. */
function deciderOf({ decidedBy, by }: TemplateExplanation): string {
  if (decidedBy === 'person') return by === '' ? 'USER' : by
  if (decidedBy === 'route') return by === '' ? 'ROUTE' : by
  return 'ENGINE'
}

/** Everything that speaks for a parameter at one position, what decided first. */
function factorsOf(
  position: PositionExplanation,
  { answers }: TemplateExplanation,
): TemplateEvidence['factors'] {
  const { position: at, distinctValues, examples, forms, factors } = position
  const cardinality = factors.find(({ name }) => name === 'cardinality')?.value ?? 0
  const list: TemplateEvidence['factors'] = []
  const add = (name: string, value: number, note: string): void => {
    list.push({ position: at, name, value, note })
  }
  const stated = statedNote(position)
  if (stated !== null) add(stated.name, DECISIVE, stated.note)
  if (position.isByBudget) {
    add('budget', DECISIVE, 'more names stood here than are kept apart; those least like names were merged')
  }
  if (distinctValues > 0) {
    const shown = examples.join(', ')
    add(
      'distinct values',
      cardinality,
      `${countOf(distinctValues, 'value was', 'values were')} seen: ${shown}`,
    )
    const certain = forms.filter(({ form }) => form !== 'word')
    add('kind of values', certain.length > 0 ? DECISIVE : 0, formsNote(forms, distinctValues))
    add('shared keys', 0, answersNote(answers))
  }
  for (const { name, value } of factors) {
    if (name !== 'cardinality') add(name, value, NOTES[name] ?? name)
  }
  return list
}

function statedNote({ statedBy }: PositionExplanation): { name: string; note: string } | null {
  if (statedBy === null) return null
  const { source, by } = statedBy
  if (source === 'person')
    return { name: 'decision of a user', note: `${by || 'a user'} stated the template` }
  return by === 'DOCUMENT'
    ? { name: 'declared route', note: 'an uploaded specification has a parameter here' }
    : { name: 'declared route', note: 'the application reported a route with a parameter here' }
}

function formsNote(forms: PositionExplanation['forms'], all: number): string {
  const kinds = forms.map(({ form, count }) =>
    forms.length === 1 ? `all are ${NAMES_OF_FORMS[form]}` : `${count} of ${all} are ${NAMES_OF_FORMS[form]}`,
  )
  const isCertain = forms.some(({ form }) => form !== 'word')
  return kinds.join(', ') + (isCertain ? ': values of such a kind are never names of resources' : '')
}

function answersNote({ paths, alike, keys }: TemplateExplanation['answers']): string {
  if (paths === 0) return 'no answer had keys that could be compared'
  if (paths === 1) return `one path was answered with keys (${keys})`
  return `${alike} of ${paths} paths have messages with most of the same ${countOf(keys, 'key', 'keys')}`
}

function countOf(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}
