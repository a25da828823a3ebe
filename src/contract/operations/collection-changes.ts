import { group, operation, root, wide } from '../operation.ts'
import { apiCollection } from '../records/api-collection.ts'
import { collectionListResult } from '../records/collection-list-result.ts'
import { optional, required } from '../request-field.ts'
import { flag, integer, list, model, text } from '../schema.ts'
import { environments } from '../vocabulary.ts'
import { exampleCollection } from './collections.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const write = { ...shared, role: 'MEMBER', access: 'write' } as const

const oneCollection = { apiCollectionId: required(integer(), 'The collection or group.') }

const collectionIds = required(
  list(model('CollectionReference', 'A collection by its id.', { id: integer() }), { maxItems: 10_000 }),
  'The collections; only the id of each item is read.',
)

const nameErrors = [
  'INVALID_COLLECTION_NAME',
  'COLLECTION_NAME_TOO_LONG',
  'COLLECTION_NAME_CHARACTERS',
  'COLLECTION_NAME_TAKEN',
] as const

/** Making, changing and deleting collections, by their wire names. */
export const collectionChangeOperations = group('collections', {
  getCollection: operation({
    ...shared,
    summary: 'Shows one collection',
    description: 'A list with the collection, or an empty list when the caller sees no such collection.',
    request: oneCollection,
    answer: root(list(apiCollection)),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: { request: { apiCollectionId: 1679459648 }, response: [exampleCollection] },
  }),

  createCollection: operation({
    ...write,
    summary: 'Creates an empty collection',
    description:
      'apiCollections has only the new collection; its id is the creation second, made unique. A caller restricted to some collections is granted it. Names have 1 to 60 letters, digits, spaces, hyphens, dots and underscores.',
    request: { collectionName: required(text(), 'Unique name.') },
    answer: wide(collectionListResult, ['apiCollections', 'apiCollectionId']),
    errors: nameErrors,
    idempotent: false,
    example: {
      request: { collectionName: 'shop' },
      response: { apiCollections: [exampleCollection], apiCollectionId: 1679459648 },
    },
  }),

  deleteCollection: operation({
    ...write,
    summary: 'Deletes a collection with everything in it',
    description:
      'Endpoints, samples, parameter records, statistics, group memberships and access grants go with it. A host whose traffic continues gets a new collection.',
    request: oneCollection,
    answer: wide(collectionListResult, ['apiCollectionId']),
    errors: ['NO_SUCH_COLLECTION', 'AUTOMATED_GROUP_FIXED'],
    idempotent: false,
    example: { request: { apiCollectionId: 1679459648 }, response: { apiCollectionId: 1679459648 } },
  }),

  deleteMultipleCollections: operation({
    ...write,
    summary: 'Deletes several collections with everything in them',
    description:
      'As deleteCollection; ids that do not exist are passed over. A caller restricted to some collections is refused whole when one was not granted.',
    request: { apiCollections: collectionIds },
    answer: wide(collectionListResult, []),
    errors: ['AUTOMATED_GROUP_FIXED'],
    idempotent: true,
    example: { request: { apiCollections: [{ id: 1679459648 }] }, response: {} },
  }),

  editCollectionName: operation({
    ...write,
    summary: 'Renames a collection',
    description: 'Collections fed from the traffic of a host keep their name.',
    request: { ...oneCollection, collectionName: required(text(), 'Unique name, as for createCollection.') },
    answer: wide(collectionListResult, ['apiCollections']),
    errors: [...nameErrors, 'NO_SUCH_COLLECTION', 'TRAFFIC_COLLECTION_FIXED', 'AUTOMATED_GROUP_FIXED'],
    idempotent: true,
    example: {
      request: { apiCollectionId: 1679459648, collectionName: 'shop' },
      response: { apiCollections: [exampleCollection] },
    },
  }),

  saveCollectionDescription: operation({
    ...write,
    summary: 'Stores the description of a collection',
    description: 'Free text up to 10,000 characters; null or empty text removes it.',
    request: {
      ...oneCollection,
      description: required(text({ maxLength: 10_000 }), 'The text.', { default: null }),
    },
    answer: wide(collectionListResult, []),
    errors: ['NO_SUCH_COLLECTION'],
    idempotent: true,
    example: {
      request: { apiCollectionId: 1679459648, description: 'Public shop API' },
      response: {},
    },
  }),

  deactivateCollections: operation({
    ...write,
    summary: 'Deactivates collections',
    description:
      'New traffic of a deactivated collection is counted in the ledger and dropped; guarded operations refuse it; nothing is deleted.',
    request: { apiCollections: collectionIds },
    answer: wide(collectionListResult, []),
    errors: ['NO_SUCH_COLLECTION'],
    idempotent: true,
    example: { request: { apiCollections: [{ id: 1679459648 }] }, response: {} },
  }),

  activateCollections: operation({
    ...write,
    summary: 'Activates deactivated collections',
    description: 'Traffic is taken again from now on.',
    request: { apiCollections: collectionIds },
    answer: wide(collectionListResult, []),
    errors: ['NO_SUCH_COLLECTION'],
    idempotent: true,
    example: { request: { apiCollections: [{ id: 1679459648 }] }, response: {} },
  }),

  toggleCollectionsOutOfTestScope: operation({
    ...write,
    summary: 'Takes collections out of testing scope, or back into it',
    description:
      'Sets isOutOfTestingScope of each collection to the opposite of the value sent, which is the present one.',
    request: {
      apiCollectionIds: required(list(integer(), { maxItems: 10_000 }), 'The collections.'),
      currentIsOutOfTestingScopeVal: required(flag(), 'The present value.', { default: false }),
    },
    answer: wide(collectionListResult, []),
    errors: ['NO_SUCH_COLLECTION'],
    idempotent: true,
    example: {
      request: { apiCollectionIds: [1679459648], currentIsOutOfTestingScopeVal: false },
      response: {},
    },
  }),

  updateEnvType: operation({
    ...write,
    summary: 'Labels collections, or sets their environment',
    description:
      'The key envType sets the environment of the collections; any other key adds or replaces a label. With resetEnvTypes the labels a user set are removed first.',
    request: {
      apiCollectionIds: required(list(integer(), { maxItems: 10_000 }), 'The collections.'),
      envType: required(
        list(
          model('CollectionLabel', 'A label.', {
            keyName: text({ maxLength: 100 }),
            value: text({
              maxLength: 200,
              description: `For the key envType one of ${environments.join(', ')}.`,
            }),
          }),
          { maxItems: 100 },
        ),
        'The labels.',
        { default: [] },
      ),
      resetEnvTypes: optional(flag(), 'Whether to remove the labels a user set before.', { default: false }),
    },
    answer: wide(collectionListResult, ['apiCollections']),
    errors: ['NO_SUCH_COLLECTION', 'INVALID_ENVIRONMENT'],
    idempotent: true,
    example: {
      request: {
        apiCollectionIds: [1679459648],
        envType: [{ keyName: 'envType', value: 'STAGING' }],
        resetEnvTypes: false,
      },
      response: {
        apiCollections: [{ ...exampleCollection, envType: 'STAGING', userSetEnvType: 'STAGING' }],
      },
    },
  }),

  redactCollection: operation({
    ...write,
    summary: 'Switches the redaction of payload values on or off',
    description:
      'Switched on: the samples of the collection are deleted and values of later messages are masked before anything is stored. Switched off: later messages are kept again.',
    request: {
      ...oneCollection,
      redacted: required(flag(), 'Whether values are masked.', { default: true }),
    },
    answer: wide(collectionListResult, ['redacted']),
    errors: ['NO_SUCH_COLLECTION'],
    idempotent: true,
    example: { request: { apiCollectionId: 1679459648, redacted: true }, response: { redacted: true } },
  }),
})
