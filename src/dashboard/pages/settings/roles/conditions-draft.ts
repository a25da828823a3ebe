import {
  type EndpointKey,
  predicateTypes,
  type RequestBodyOf,
  type rolePredicateTypes,
  type TestRole,
} from '../../../../contract/browser.ts'

/** What a condition of a role compares by. */
export type PredicateType = (typeof rolePredicateTypes)[number]

/** Conditions of a role as calls take them. */
type SentConditions = Pick<RequestBodyOf<'updateTestRoles'>, 'andConditions' | 'orConditions'>

/** One condition as it was typed; `text` or `endpoints` counts, by the type. */
export interface PredicateDraft {
  readonly type: PredicateType
  readonly text: string
  readonly endpoints: readonly EndpointKey[]
}

/** Conditions that are joined. */
export interface ConditionGroup {
  readonly operator: 'AND' | 'OR'
  readonly predicates: readonly PredicateDraft[]
}

/** Which endpoints a role may call: both groups hold, and one without conditions always does. */
export interface ConditionsDraft {
  readonly and: ConditionGroup
  readonly or: ConditionGroup
}

/** Conditions that every endpoint meets. */
export const noConditions: ConditionsDraft = {
  and: { operator: 'AND', predicates: [] },
  or: { operator: 'OR', predicates: [] },
}

/** A condition with nothing in it. */
export const emptyPredicate: PredicateDraft = { type: 'STARTS_WITH', text: '', endpoints: [] }

/** Words of the conditions of a role. */
export const predicateWords: Record<PredicateType, string> = {
  REGEX: 'its URL matches the pattern',
  STARTS_WITH: 'its URL starts with',
  ENDS_WITH: 'its URL ends with',
  EQUALS_TO: 'its URL is',
  CONTAINS: 'its URL contains',
  IS_NUMBER: 'its URL is a number',
  BELONGS_TO: 'it is one of',
  NOT_BELONGS_TO: 'it is none of',
}

const textTypes: readonly PredicateType[] = predicateTypes

/** Whether a condition compares with a text, with endpoints, or with nothing. */
export function valueKind(type: PredicateType): 'text' | 'endpoints' | 'none' {
  if (type === 'IS_NUMBER') return 'none'
  return textTypes.includes(type) ? 'text' : 'endpoints'
}

type Stored = Pick<TestRole['endpointLogicalGroup']['testingEndpoints'], 'andConditions' | 'orConditions'>

/** Conditions as a form shows them. */
export function conditionsDraftOf({ andConditions, orConditions }: Stored): ConditionsDraft {
  const groupOf = (stored: Stored['andConditions'], empty: ConditionGroup): ConditionGroup =>
    stored === null
      ? empty
      : {
          operator: stored.operator,
          predicates: stored.predicates.map(({ type, value }) => ({
            type,
            text: typeof value === 'string' ? value : '',
            endpoints: typeof value === 'string' ? [] : value,
          })),
        }
  return { and: groupOf(andConditions, noConditions.and), or: groupOf(orConditions, noConditions.or) }
}

/** Conditions as calls take them; null for a group without any. */
export function conditionsOf({ and, or }: ConditionsDraft): SentConditions {
  const sent = ({ operator, predicates }: ConditionGroup): SentConditions['andConditions'] =>
    predicates.length === 0
      ? null
      : {
          operator,
          predicates: predicates.map(({ type, text, endpoints }) => ({
            type,
            value: valueKind(type) === 'endpoints' ? [...endpoints] : valueKind(type) === 'text' ? text : '',
          })),
        }
  return { andConditions: sent(and), orConditions: sent(or) }
}

/** Whether every condition says what it compares with. */
export function isComplete({ and, or }: ConditionsDraft): boolean {
  return [...and.predicates, ...or.predicates].every(({ type, text, endpoints }) => {
    const kind = valueKind(type)
    return kind === 'none' || (kind === 'text' ? text !== '' : endpoints.length > 0)
  })
}

/** Endpoints named in words before the others are counted. */
const named = 5

/** One condition in words. */
export function predicateText(
  { type, text, endpoints }: PredicateDraft,
  names: ReadonlyMap<number, string>,
): string {
  const words = predicateWords[type]
  const kind = valueKind(type)
  if (kind === 'none') return words
  if (kind === 'text' || endpoints.length === 0) return `${words} “${text}”`
  const list = endpoints
    .slice(0, named)
    .map(
      ({ method, url, apiCollectionId }) =>
        `${method} ${url} (${names.get(apiCollectionId) ?? `collection ${apiCollectionId}`})`,
    )
    .join(', ')
  return `${words} ${list}${endpoints.length > named ? ` and ${endpoints.length - named} more` : ''}`
}
