import { group, operation, root } from '../operation.ts'
import { optional, required } from '../request-field.ts'
import { anything, count, epochSeconds, integer, list, mapOf, model, oneOf, text } from '../schema.ts'
import { dataSources } from '../vocabulary.ts'
import { pageFields } from './inventory.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const exampleMessage = {
  path: '/v1/orders/77?expand=items',
  method: 'GET',
  type: 'HTTP/1.1',
  requestHeaders: '{"host":"shop.test"}',
  responseHeaders: '{"content-type":"application/json"}',
  requestPayload: '',
  responsePayload: '{"id":77,"total":12.5}',
  statusCode: '200',
  status: 'OK',
  ip: '203.0.113.9',
  destIp: '10.0.3.4',
  time: '1769850000',
  akto_account_id: '1000000',
  akto_vxlan_id: '0',
  is_pending: 'false',
  source: 'MIRRORING',
}

const ledgerCounts = {
  received: count('accepted + duplicates + rejected + all of dropped.'),
  accepted: count('Counted in the inventory.'),
  duplicates: count('Delivered before.'),
  rejected: count('Could not be read as a message, or named no host.'),
  dropped: mapOf(count(), { description: 'Admission rule or limit to the number of messages it refused.' }),
}

/** Live traffic and the ledger that accounts for it, by their wire names. */
export const liveTrafficOperations = group('imports', {
  ingestData: operation({
    ...shared,
    summary: 'Takes a batch of live traffic',
    description:
      'Up to 10,000 sample messages: as batchData, as a bare list, or one message as the body itself. Answers after the transaction that holds their effects: what is acknowledged survives. accepted + duplicates + rejected + all of dropped is the number of messages sent, in the words of fetchTrafficLedger. A bad item never fails the batch; a batch that names a collection which cannot take it is refused whole. A caller restricted to some collections must name one of them. A message with an id, or the same message again within ten minutes, counts once. Header maps may be JSON text, objects or lists of [name, value]; numbers may be numbers or text; bodyEncoding "base64" marks binary bodies. Under pressure the answer is 429 or 503 with Retry-After and nothing of the batch is taken.',
    request: {
      batchData: required(list(anything()), 'Sample messages.'),
      apiCollectionId: optional(integer(), 'One collection for all; null to go by host.'),
    },
    answer: root(
      model('IngestResult', 'What became of the batch.', {
        accepted: count('Counted in the inventory.'),
        duplicates: count('Delivered before.'),
        rejected: list(
          model('RejectedMessage', 'An entry that is not a message or has no host.', {
            index: integer({ minimum: 0, description: 'Position in the batch.' }),
            reason: text(),
          }),
        ),
        dropped: mapOf(count(), {
          description:
            'Admission rule or limit to the number of messages it refused; deactivated: the collection of the host is.',
        }),
      }),
    ),
    role: 'MEMBER',
    access: 'write',
    bodyLimit: 'import',
    errors: ['TOO_MANY_MESSAGES', 'NO_SUCH_COLLECTION', 'GROUP_TARGET', 'DEACTIVATED_TARGET'],
    idempotent: true,
    example: {
      request: { batchData: [exampleMessage] },
      response: { accepted: 1, duplicates: 0, rejected: [], dropped: {} },
    },
  }),

  fetchTrafficLedger: operation({
    ...shared,
    summary: 'Accounts for every message received',
    description:
      'Per day (UTC) and source: received = accepted + duplicates + rejected + dropped by rule, newest day first. probes lists one page of unknown paths that answered with an error, most recent first: they are never endpoints.',
    request: {
      startTimestamp: optional(epochSeconds(), 'Epoch seconds, included; 0 for no lower end.', {
        default: 0,
      }),
      endTimestamp: optional(epochSeconds(), 'Epoch seconds, included; 0 for now.', { default: 0 }),
      sources: optional(list(oneOf(dataSources)), 'Only these sources. Empty or null: all.'),
      ...pageFields,
    },
    answer: root(
      model('TrafficLedger', 'What came in and what became of it.', {
        days: list(
          model('LedgerDay', 'One day of one source.', {
            day: epochSeconds('Midnight (UTC) at which the day starts.'),
            source: text(),
            ...ledgerCounts,
          }),
        ),
        totals: model('LedgerTotals', 'Sums over the days.', ledgerCounts),
        probes: list(
          model('Probe', 'An unknown path that was asked for.', {
            apiCollectionId: integer(),
            method: text(),
            path: text(),
            status: integer(),
            count: count(),
            firstSeen: epochSeconds(),
            lastSeen: epochSeconds(),
            lastIp: text(),
          }),
        ),
        probesTotal: count('Probes over all pages.'),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: { startTimestamp: 1769817600, endTimestamp: 0 },
      response: {
        days: [
          {
            day: 1769817600,
            source: 'MIRRORING',
            received: 100,
            accepted: 90,
            duplicates: 2,
            rejected: 1,
            dropped: { 'static file': 7 },
          },
        ],
        totals: {
          received: 100,
          accepted: 90,
          duplicates: 2,
          rejected: 1,
          dropped: { 'static file': 7 },
        },
        probes: [
          {
            apiCollectionId: 1679459648,
            method: 'GET',
            path: '/.git/config',
            status: 404,
            count: 3,
            firstSeen: 1769817600,
            lastSeen: 1769854500,
            lastIp: '203.0.113.9',
          },
        ],
        probesTotal: 1,
      },
    },
  }),
})
