import type { ListCase } from '../list-bench.ts'
import { endpointUrl, SEED } from './seed.ts'

const window = { startTimestamp: SEED.at, endTimestamp: 0 }
const day = { startTimestamp: SEED.at, endTimestamp: SEED.at + 86_400 }

const collection = (round: number): number => SEED.at + 1 + ((round * 7) % 500)

/** The endpoint with the number given, as requests name it. */
function endpoint(round: number): { apiCollectionId: number; url: string; method: string } {
  const n = 1 + (round % 500) * 100
  return {
    apiCollectionId: SEED.at + 1 + Math.floor((n - 1) / SEED.perCollection),
    url: endpointUrl(n),
    method: ['GET', 'POST', 'PUT', 'DELETE'][n % 4]!,
  }
}

const search = (note: string, body: (round: number) => object): ListCase => ({
  operation: 'searchEndpoints',
  note,
  body: (round) => ({ limit: 50, ...body(round) }),
})

const sorts = ['url', 'method', 'riskScore', 'severityScore', 'lastSeen', 'discoveredTimestamp', 'callCount']
const page = (round: number): object => ({ skip: (round % 10) * 50 })

const searches: readonly ListCase[] = [
  ...sorts.flatMap((sortKey) =>
    [1, -1].map((sortOrder) =>
      search(`by ${sortKey} ${sortOrder === 1 ? 'up' : 'down'}`, (round) => ({
        sortKey,
        sortOrder,
        ...page(round),
      })),
    ),
  ),
  search('last page', () => ({ skip: 99_950 })),
  search('rare text', (round) => ({ search: `/${round * 37}/` })),
  search('frequent text', (round) => ({ search: 'Orders', ...page(round) })),
  search('text of every url', (round) => ({ search: '/v1', ...page(round) })),
  search('text of no url', (round) => ({ search: `nowhere${round}` })),
  search('one letter', (round) => ({ search: 'x', ...page(round) })),
  search('text by risk', () => ({ search: 'orders', sortKey: 'riskScore', sortOrder: -1 })),
  search('text by last seen', () => ({ search: 'orders', sortKey: 'lastSeen', sortOrder: -1 })),
  search('method', (round) => ({ method: ['GET'], ...page(round) })),
  search('kind of authentication', (round) => ({ authType: ['JWT'], ...page(round) })),
  search('API type', (round) => ({ apiType: ['GRAPHQL'], ...page(round) })),
  search('access type', (round) => ({ accessType: ['PRIVATE'], ...page(round) })),
  search('sensitive type', (round) => ({ sensitiveType: ['EMAIL'], ...page(round) })),
  search('sensitive', (round) => ({ sensitive: true, ...page(round) })),
  search('not sensitive', (round) => ({ sensitive: false, ...page(round) })),
  search('documented', (round) => ({ documented: true, ...page(round) })),
  search('new', (round) => ({ newSince: SEED.at + 80_000, ...page(round) })),
  search('filters together', () => ({
    search: 'orders',
    method: ['GET', 'POST'],
    authType: ['JWT'],
    sensitive: true,
    sortKey: 'lastSeen',
    sortOrder: -1,
  })),
  search('one collection', (round) => ({ apiCollectionId: collection(round) })),
  search('one group', (round) => ({ apiCollectionId: SEED.largeGroup, ...page(round) })),
  { ...search('granted', page), isRestricted: true },
  { ...search('granted, text', () => ({ search: 'orders' })), isRestricted: true },
  {
    ...search('granted, by risk', () => ({ sortKey: 'riskScore', sortOrder: -1 })),
    isRestricted: true,
  },
]

const collections: readonly ListCase[] = [
  { operation: 'getAllCollectionsBasic', body: () => ({}) },
  { operation: 'getAllCollections', body: () => ({}) },
  { operation: 'getAllCollections', note: 'by name', body: () => ({ nameRegex: 'api-1.*' }) },
  { operation: 'getCollection', body: (round) => ({ apiCollectionId: collection(round) }) },
  { operation: 'getLastSeenTrafficInfoForCollections', body: () => ({}) },
  { operation: 'getSensitiveInfoForCollections', body: () => ({}) },
  { operation: 'getSensitiveInfoForCollections', note: 'granted', body: () => ({}), isRestricted: true },
  { operation: 'getRiskScoreInfo', body: () => ({}) },
  { operation: 'getRiskScoreInfo', note: 'granted', body: () => ({}), isRestricted: true },
  { operation: 'getCoverageInfoForCollections', body: () => ({}) },
  { operation: 'getSeverityInfoForCollections', body: () => ({}) },
  {
    operation: 'getSeveritiesCountPerCollection',
    body: (round) => ({ apiCollectionId: collection(round) }),
  },
  { operation: 'fetchEndpointsCount', body: () => ({ ...day, endTimestamp: SEED.at + 50_000 }) },
  {
    operation: 'fetchEndpointsCount',
    note: 'granted',
    body: () => ({ ...day, endTimestamp: SEED.at + 50_000 }),
    isRestricted: true,
  },
  {
    operation: 'fetchCollectionWiseApiEndpoints',
    body: (round) => ({ apiCollectionId: String(collection(round)) }),
  },
  { operation: 'fetchApiInfosForCollection', body: (round) => ({ apiCollectionId: collection(round) }) },
  { operation: 'fetchApiInfosFromSTIs', body: (round) => ({ apiCollectionId: collection(round) }) },
  ...['URL_REGEX', 'METHOD', 'COLLECTION', 'PARAM', 'SENSITIVE_TYPE', 'HOST_REGEX'].map((type, index) => ({
    operation: 'getEndpointsListFromConditions',
    note: type,
    body: (round: number) => ({
      conditions: [
        {
          type,
          operator: 'AND',
          data: [
            { regex: `/orders/${round}` },
            { methods: ['GET'] },
            { apiCollectionIds: [collection(round)] },
            { names: ['field2'] },
            { types: ['EMAIL'] },
            { regex: `^api-${round}[0-9]?\\.shop` },
          ][index]!,
        },
      ],
      skip: 0,
      limit: 50,
    }),
  })),
]

const details: readonly ListCase[] = [
  { operation: 'getSingleEndpoint', body: endpoint },
  { operation: 'loadParamsOfEndpoint', body: endpoint },
  { operation: 'fetchSensitiveSampleData', body: endpoint },
  { operation: 'fetchSampleData', body: endpoint },
  {
    operation: 'fetchApiCallStats',
    body: (round) => ({ ...endpoint(round), startEpoch: SEED.at, endEpoch: SEED.at + 7200 }),
  },
  {
    operation: 'fetchIpLevelApiCallStats',
    body: (round) => ({
      ...endpoint(round),
      startWindow: Math.floor(SEED.at / 60),
      endWindow: Math.floor(SEED.at / 60) + 120,
    }),
  },
  { operation: 'generateOpenApiFile', body: (round) => ({ apiCollectionId: collection(round) }) },
]

const changes: readonly ListCase[] = [
  { operation: 'loadRecentEndpoints', body: () => ({ ...window, startTimestamp: SEED.at + 80_000 }) },
  { operation: 'loadRecentEndpoints', note: 'of all time', body: (round) => ({ ...window, ...page(round) }) },
  { operation: 'fetchChanges', note: 'a day', body: (round) => ({ ...day, ...page(round) }) },
  { operation: 'fetchChanges', note: 'of all time', body: (round) => ({ ...window, ...page(round) }) },
  {
    operation: 'fetchChanges',
    note: 'one kind',
    body: (round) => ({ ...window, kinds: ['NEW_PARAMETER'], ...page(round) }),
  },
  { operation: 'fetchChanges', note: 'text', body: () => ({ ...window, search: 'orders' }) },
  {
    operation: 'fetchChanges',
    note: 'one collection',
    body: (round) => ({ ...window, apiCollectionId: collection(round) }),
  },
  {
    operation: 'fetchChanges',
    note: 'one group',
    body: () => ({ ...window, apiCollectionId: SEED.largeGroup }),
  },
  { operation: 'fetchChanges', note: 'granted', body: () => window, isRestricted: true },
  { operation: 'fetchNewEndpointsTrendForHostCollections', body: () => window },
  { operation: 'fetchNewEndpointsTrendForNonHostCollections', body: () => window },
  { operation: 'fetchTrafficLedger', body: (round) => ({ ...window, ...page(round) }) },
]

const imports: readonly ListCase[] = [
  { operation: 'fetchImports', body: (round) => ({ ...page(round), limit: 50 }) },
  { operation: 'fetchImports', note: 'granted', body: () => ({ limit: 50 }), isRestricted: true },
  { operation: 'fetchImportReport', body: (round) => ({ uploadId: SEED.importId, ...page(round) }) },
  { operation: 'fetchSwaggerImportLogs', body: () => ({ uploadId: SEED.importId }) },
  { operation: 'fetchPostmanImportLogs', body: () => ({ uploadId: SEED.postmanImportId }) },
]

const others: readonly ListCase[] = [{ operation: 'fetchDataTypes', body: () => ({}) }]

/** Every list operation of the inventory, with each filter and sort. */
export const listCases: readonly ListCase[] = [
  ...collections,
  ...searches,
  ...details,
  ...changes,
  ...imports,
  ...others,
]
