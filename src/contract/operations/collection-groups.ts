import { group, operation, wide } from '../operation.ts'
import { collectionListResult } from '../records/collection-list-result.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { groupCondition } from '../records/group-condition.ts'
import { optional, required } from '../request-field.ts'
import { integer, list, text } from '../schema.ts'
import { filled } from '../wide-record.ts'
import { exampleKey } from './collection-endpoints.ts'
import { exampleCollection } from './collections.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const write = { ...shared, role: 'MEMBER', access: 'write' } as const

const conditions = required(list(groupCondition, { minItems: 1, maxItems: 100 }), 'What makes a member.')
const apiList = required(list(endpointKey), 'The endpoints.')

const exampleConditions = [{ type: 'METHOD', operator: 'AND', data: { methods: ['DELETE'] } }]

const exampleGroup = {
  ...exampleCollection,
  id: 1684477780,
  name: 'deletions',
  displayName: 'deletions',
  type: 'API_GROUP',
  conditions: JSON.stringify(exampleConditions),
}

/** Groups of endpoints, by their wire names. */
export const collectionGroupOperations = group('collections', {
  createCustomCollection: operation({
    ...write,
    summary: 'Creates a group of endpoints by conditions',
    description:
      'Members are computed at once and follow the inventory within a minute. Endpoints stay in their own collections. Conditions look at all collections, so a caller restricted to some cannot state them (COLLECTIONS_RESTRICTED). Who is granted a group reads its members, also those of collections that were not granted.',
    request: { collectionName: required(text(), 'Unique name, as for createCollection.'), conditions },
    answer: wide(collectionListResult, ['apiCollections', 'apiCollectionId']),
    errors: [
      'INVALID_COLLECTION_NAME',
      'COLLECTION_NAME_TOO_LONG',
      'COLLECTION_NAME_CHARACTERS',
      'COLLECTION_NAME_TAKEN',
      'INVALID_CONDITION',
    ],
    idempotent: false,
    example: {
      request: { collectionName: 'deletions', conditions: exampleConditions },
      response: { apiCollections: [exampleGroup], apiCollectionId: 1684477780 },
    },
  }),

  updateCustomCollection: operation({
    ...write,
    summary: 'Replaces the conditions of a group',
    description: 'Members are computed anew; endpoints added one by one stay.',
    request: { apiCollectionId: required(integer(), 'The group.'), conditions },
    answer: wide(collectionListResult, ['apiCollections']),
    errors: ['NO_SUCH_COLLECTION', 'NOT_A_GROUP', 'AUTOMATED_GROUP_FIXED', 'INVALID_CONDITION'],
    idempotent: true,
    example: {
      request: { apiCollectionId: 1684477780, conditions: exampleConditions },
      response: { apiCollections: [exampleGroup] },
    },
  }),

  addApisToCustomCollection: operation({
    ...write,
    summary: 'Adds endpoints to a group',
    description:
      'Creates the group when there is none of the name, and grants it to a caller restricted to some collections. Endpoints already in it are passed over.',
    request: { collectionName: required(text(), 'Name of the group.'), apiList },
    answer: wide(collectionListResult, ['apiCollections']),
    errors: [
      'NO_APIS_GIVEN',
      'NO_SUCH_COLLECTION',
      'NO_SUCH_ENDPOINT',
      'NOT_A_GROUP',
      'AUTOMATED_GROUP_FIXED',
      'INVALID_COLLECTION_NAME',
      'COLLECTION_NAME_TOO_LONG',
      'COLLECTION_NAME_CHARACTERS',
    ],
    idempotent: true,
    example: {
      request: { collectionName: 'deletions', apiList: [exampleKey] },
      response: { apiCollections: [exampleGroup] },
    },
  }),

  removeApisFromCustomCollection: operation({
    ...write,
    summary: 'Removes endpoints from a group',
    description:
      'Takes out endpoints that were added one by one; those that meet the conditions stay members.',
    request: { collectionName: required(text(), 'Name of the group.'), apiList },
    answer: wide(collectionListResult, ['apiCollections']),
    errors: ['NO_APIS_GIVEN', 'NO_SUCH_COLLECTION', 'NOT_A_GROUP', 'AUTOMATED_GROUP_FIXED'],
    idempotent: true,
    example: {
      request: { collectionName: 'deletions', apiList: [exampleKey] },
      response: { apiCollections: [exampleGroup] },
    },
  }),

  getEndpointsListFromConditions: operation({
    ...shared,
    summary: 'Previews the members that conditions would give',
    description:
      'apiCount is the number of all members; endpointsListFromConditions one page of them, by url then method.',
    request: {
      conditions,
      skip: optional(integer({ minimum: 0 }), 'Members to pass over.', { default: 0 }),
      limit: optional(integer({ minimum: 1, maximum: 500 }), 'Members per page.', { default: 50 }),
    },
    answer: wide(collectionListResult, ['apiCount', 'endpointsListFromConditions'], {
      endpointsListFromConditions: filled(list(endpointKey), []),
    }),
    role: 'GUEST',
    access: 'read',
    errors: ['INVALID_CONDITION'],
    idempotent: true,
    example: {
      request: { conditions: exampleConditions },
      response: { apiCount: 1, endpointsListFromConditions: [{ ...exampleKey, method: 'DELETE' }] },
    },
  }),
})
