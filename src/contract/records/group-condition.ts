import type { Static } from 'typebox'
import { model, oneOf, openObject } from '../schema.ts'

/** Kinds of condition and the data each reads. */
export const conditionTypes = {
  CUSTOM: '{apisList: endpoint key[]}: exactly these endpoints',
  ALL: '{}: every endpoint',
  COLLECTION: '{apiCollectionIds: integer[]}: endpoints of these collections',
  METHOD: '{methods: string[]}',
  HOST_REGEX: '{regex: string}: found in the host name of the collection or of an absolute URL',
  URL_REGEX: '{regex: string}: found in the URL of the endpoint',
  PARAM: '{names: string[]}: a parameter of one of these names',
  SENSITIVE_TYPE: '{types: string[]}: one of these data types in a response',
  AUTH_TYPE: '{types: string[]}: one of these kinds of authentication',
  ACCESS_TYPE: '{types: string[]}: called by PUBLIC, PRIVATE, PARTNER or THIRD_PARTY addresses',
  API_TYPE: '{types: string[]}: REST, GRAPHQL, GRPC, SOAP or WEBSOCKET',
} as const

/** Kind of a condition. */
export type ConditionType = keyof typeof conditionTypes

const explained = Object.entries(conditionTypes).map(([name, data]) => `${name} ${data}`)

/** One condition of a group. */
export const groupCondition = model(
  'GroupCondition',
  'One condition of a group. Conditions with AND must all hold; of those with OR at least one must.',
  {
    type: oneOf(Object.keys(conditionTypes) as ConditionType[], { description: 'Kind of condition.' }),
    operator: oneOf(['AND', 'OR'], { description: 'How it combines with the others.' }),
    data: openObject({ description: `By type: ${explained.join('; ')}. Regular expressions in RE2 syntax.` }),
  },
)

/** A condition on the wire. */
export type GroupCondition = Static<typeof groupCondition>
