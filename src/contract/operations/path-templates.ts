import { group, operation, root, wide } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { inventoryObject } from '../records/inventory-object.ts'
import { templateDecision, templateEvidence } from '../records/template-evidence.ts'
import { required } from '../request-field.ts'
import { integer, list, text } from '../schema.ts'
import { filled } from '../wide-record.ts'
import { endpointFields } from './collection-endpoints.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const write = { ...shared, role: 'MEMBER', access: 'write', idempotent: true } as const

const apiCollectionId = required(integer(), 'The collection; not a group.')
const template = 'https://shop.test/rest/basket/INTEGER'

/** Path templates: why they are, and decisions about them, by their wire names. */
export const pathTemplateOperations = group('inventory', {
  explainTemplate: operation({
    ...shared,
    summary: 'Shows the evidence behind a path template',
    description:
      'Who decided, how many distinct values were seen, examples, each piece of evidence with its weight, and the values at the same position that stayed literal.',
    request: { apiCollectionId, url: required(text(), 'URL of the endpoint with its template positions.') },
    answer: root(templateEvidence),
    role: 'GUEST',
    access: 'read',
    errors: ['NOT_A_TEMPLATE', 'NO_SUCH_COLLECTION'],
    idempotent: true,
    example: {
      request: { apiCollectionId: 1679459648, url: template },
      response: {
        template,
        decidedBy: 'ENGINE',
        distinctValues: 12,
        examples: ['6', '7', '11'],
        factors: [
          { position: 2, name: 'distinct values', value: 0, note: '12 values were seen: 6, 7, 11' },
          {
            position: 2,
            name: 'kind of values',
            value: 3,
            note: 'all are whole numbers: values of such a kind are never names of resources',
          },
        ],
        literalSiblings: [{ value: 'checkout', reason: 'a resource name with its own leaves' }],
      },
    },
  }),

  deMergeApi: operation({
    ...write,
    summary: 'Splits a path template into the paths behind it',
    description:
      'Each path keeps the samples, parameters and statistics that were its own, and gets the calls that came to it while it was merged. Calls to paths that are no longer remembered stay with the template, which then stays visible, so that callCount over the endpoints still adds up. A path that was never a separate endpoint gets the parameters of the template with count 0: where each was seen is not known. The decision is never overturned by the engine. deMergedApis lists the endpoints that came out.',
    request: endpointFields,
    answer: wide(inventoryObject, ['deMergedApis'], { deMergedApis: filled(list(endpointKey), []) }),
    errors: [
      'NO_SUCH_ENDPOINT',
      'NOT_A_TEMPLATE',
      'TEMPLATE_NOT_FOUND',
      'NO_SUCH_COLLECTION',
      'DEACTIVATED_COLLECTION',
    ],
    example: {
      request: { apiCollectionId: 1679459648, url: template, method: 'GET' },
      response: {
        deMergedApis: [
          { method: 'GET', apiCollectionId: 1679459648, url: 'https://shop.test/rest/basket/6' },
          { method: 'GET', apiCollectionId: 1679459648, url: 'https://shop.test/rest/basket/7' },
        ],
      },
    },
  }),

  mergeApis: operation({
    ...write,
    summary: 'States a path template',
    description:
      'Every path of the collection that fits the template becomes one endpoint per method, now and later. Template positions are INTEGER, FLOAT, OBJECT_ID or STRING. deMergeApi takes it back.',
    request: {
      apiCollectionId,
      template: required(
        text({ maxLength: 2000 }),
        'The path, or absolute URL, with its template positions.',
      ),
    },
    answer: root(templateDecision),
    errors: ['NOT_A_TEMPLATE', 'TEMPLATE_CONFLICT', 'NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION'],
    example: {
      request: { apiCollectionId: 1679459648, template },
      response: { moves: [{ method: 'GET', from: 'https://shop.test/rest/basket/6', to: template }] },
    },
  }),

  pinLiteralApi: operation({
    ...write,
    summary: 'Keeps a path literal, whatever template would cover it',
    description: 'The path becomes a separate endpoint for every method it was seen with, and stays one.',
    request: {
      apiCollectionId,
      url: required(text({ maxLength: 2000 }), 'The literal path, or absolute URL.'),
    },
    answer: root(templateDecision),
    errors: ['TEMPLATE_MISMATCH', 'TEMPLATE_CONFLICT', 'NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION'],
    example: {
      request: { apiCollectionId: 1679459648, url: 'https://shop.test/rest/basket/checkout' },
      response: { moves: [{ method: 'POST', from: template, to: 'https://shop.test/rest/basket/checkout' }] },
    },
  }),
})
