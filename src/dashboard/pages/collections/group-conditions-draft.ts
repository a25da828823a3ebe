import type { ApiCollection, RequestBodyOf } from '../../../contract/browser.ts'

type SentCondition = RequestBodyOf<'createCustomCollection'>['conditions'][number]

/** What a condition of a group looks at. */
export type GroupConditionType = SentCondition['type']

/** One condition as it was typed; which of its fields counts says its type. */
export interface GroupConditionDraft {
  readonly type: GroupConditionType
  readonly operator: 'AND' | 'OR'
  /** Methods, names or types; ids of collections. */
  readonly words: readonly string[]
  readonly pattern: string
  /** Data that no field shows, kept as it is. */
  readonly data: SentCondition['data']
}

/** Names of the values in the data of a condition, by type. */
const wordFields: Partial<Record<GroupConditionType, string>> = {
  COLLECTION: 'apiCollectionIds',
  METHOD: 'methods',
  PARAM: 'names',
  SENSITIVE_TYPE: 'types',
  AUTH_TYPE: 'types',
  ACCESS_TYPE: 'types',
  API_TYPE: 'types',
}

/** How a condition is filled in. */
export function fieldOf(type: GroupConditionType): 'words' | 'pattern' | 'none' {
  if (type === 'URL_REGEX' || type === 'HOST_REGEX') return 'pattern'
  return wordFields[type] === undefined ? 'none' : 'words'
}

/** Conditions in words, before their values. */
export const conditionWords: Readonly<Record<GroupConditionType, string>> = {
  ALL: 'every endpoint',
  CUSTOM: 'single endpoints',
  COLLECTION: 'its collection is',
  METHOD: 'its method is',
  HOST_REGEX: 'its host matches the pattern',
  URL_REGEX: 'its URL matches the pattern',
  PARAM: 'it has a parameter named',
  SENSITIVE_TYPE: 'its responses hold data of type',
  AUTH_TYPE: 'its authentication is',
  ACCESS_TYPE: 'it is called from',
  API_TYPE: 'its API type is',
}

/** Kinds that can be chosen; single endpoints are added in the list of endpoints. */
export const offeredTypes = (Object.keys(conditionWords) as GroupConditionType[]).filter(
  (type) => type !== 'CUSTOM',
)

/** A condition with nothing in it. */
export const emptyCondition: GroupConditionDraft = {
  type: 'URL_REGEX',
  operator: 'AND',
  words: [],
  pattern: '',
  data: {},
}

/** The conditions of a group as a form shows them; none of what cannot be read. */
export function groupDraftOf({ conditions }: Pick<ApiCollection, 'conditions'>): GroupConditionDraft[] {
  const stored: unknown = typeof conditions === 'string' ? JSON.parse(conditions) : conditions
  if (!Array.isArray(stored)) return []
  return (stored as SentCondition[]).map(({ type, operator, data }) => {
    const list = (data as Record<string, unknown>)[wordFields[type] ?? '']
    const regex = (data as Record<string, unknown>)['regex']
    return {
      type,
      operator: operator === 'OR' ? 'OR' : 'AND',
      words: Array.isArray(list) ? list.map(String) : [],
      pattern: typeof regex === 'string' ? regex : '',
      data,
    }
  })
}

/** Conditions as calls take them. */
export function groupConditionsOf(drafts: readonly GroupConditionDraft[]): SentCondition[] {
  return drafts.map(({ type, operator, words, pattern, data }) => {
    const field = wordFields[type]
    if (fieldOf(type) === 'pattern') return { type, operator, data: { regex: pattern } }
    if (field === undefined) return { type, operator, data: type === 'CUSTOM' ? data : {} }
    return { type, operator, data: { [field]: type === 'COLLECTION' ? words.map(Number) : [...words] } }
  })
}

/** Whether there is a condition, and each says what it looks for. */
export function isCompleteGroup(drafts: readonly GroupConditionDraft[]): boolean {
  return (
    drafts.length > 0 &&
    drafts.every(({ type, words, pattern }) => {
      const field = fieldOf(type)
      return field === 'none' || (field === 'pattern' ? pattern !== '' : words.length > 0)
    })
  )
}

/** One condition in words. */
export function conditionText(
  { type, words, pattern, data }: GroupConditionDraft,
  names: ReadonlyMap<number, string>,
): string {
  const field = fieldOf(type)
  if (field === 'pattern') return `${conditionWords[type]} “${pattern}”`
  if (type === 'CUSTOM') {
    const list = (data as { apisList?: unknown[] }).apisList
    return `it is one of ${list?.length ?? 0} endpoints`
  }
  if (field === 'none') return conditionWords[type]
  const shown = type === 'COLLECTION' ? words.map((id) => names.get(Number(id)) ?? `collection ${id}`) : words
  return `${conditionWords[type]} ${shown.join(' or ')}`
}
