import { type Installation, resultsOfRun, wholeCollection } from '../../test/use-vigil.ts'
import { hostileFiles } from './files.ts'
import { SENSITIVE, TEXTS } from './texts.ts'

/** The server under test, and the target that it tests. */
export interface Bench {
  readonly host: string
  collection: number
  call(operation: string, body: unknown): Promise<{ status: number; text: string }>
  answerWith(body: string, type?: string): void
}

const MIB = 1024 * 1024
const LARGE = 5 * MIB

/** Header that tests of {@link templateWith} add. */
export const PROBE = 'probe'

/** A test whose verdict is a pattern. */
export function templateWith(pattern: string, id: string, more = ''): string {
  return `id: ${id}
info:
  name: Hostile
  description: d
  details: d
  impact: i
  category: { name: SM, shortName: SM, displayName: Security Misconfiguration }
  subCategory: ${id}
  severity: HIGH
attributes: { nature: NON_INTRUSIVE }
api_selection_filters:
  method: { eq: GET }
execute:
  type: single
  requests:
    - req:
        - add_header: { ${PROBE}: '1' }
validate:
  response_payload: { regex: ${JSON.stringify(pattern)} }
${more}`
}

function filterWith(pattern: string): string {
  return `id: HOSTILE\ninfo: {category: {name: C}, severity: LOW}\nfilter:\n  response_payload: {regex: ${JSON.stringify(pattern)}}\n`
}

type Case = readonly [name: string, work: () => Promise<{ status: number; text: string }>]

/** Everything else that reads texts from outside. */
export function otherCases(bench: Bench): readonly Case[] {
  const large = Array.from({ length: 200 }, (_, i) => `(?:${String.fromCharCode(97 + (i % 26))}?${i}){900}`)
  return [
    ...['many keys', 'deep json', 'json', 'json in json'].map(
      (text): Case => [
        `live message with a response of 5 MiB, ${text}`,
        () => bench.call('ingestData', { batchData: [liveMessage(bench, TEXTS[text]!(LARGE - 4_096))] }),
      ],
    ),
    ['samples of that endpoint', () => bench.call('fetchSampleData', endpointOf(bench, '/large'))],
    ['parameters of that endpoint', () => bench.call('loadParamsOfEndpoint', endpointOf(bench, '/large'))],
    ...Object.entries(SENSITIVE).flatMap(([text, body]) => shownCases(bench, text, body)),
    ...crawledCases(bench),
    [
      'HAR of 5 MiB',
      () =>
        bench.call('uploadHar', { apiCollectionName: 'har', harString: harOf(bench, TEXTS['json']!(LARGE)) }),
    ],
    [
      'OpenAPI document of 5 MiB',
      () =>
        bench.call('importDataFromOpenApiSpec', {
          openAPIString: openApi(),
          apiCollectionId: bench.collection,
        }),
    ],
    ...hostileFiles(LARGE).map(
      ({ name, body }): Case => [`${name}, 5 MiB`, () => bench.call('importTraffic', body())],
    ),
    [
      'request body of 5 MiB that is one list',
      () => bench.call('fetchAllIssues', `{"skip":0,"limit":1,"x":[${'0,'.repeat(LARGE / 2)}0]}`),
    ],
    [
      'request body, 200 KiB of deep JSON',
      () => bench.call('fetchAllIssues', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    ],
    [
      'test of 100,000 words',
      () =>
        bench.call('saveTestEditorFile', {
          content: templateWith('x', 'WORDS', `wordLists:\n  w: [${'a,'.repeat(99_000)}]\n`),
          originalTestId: '',
        }),
    ],
    [
      'test with 200 large patterns',
      () =>
        bench.call('saveTestEditorFile', {
          content: templateWith('x', 'LARGE').replace(
            '{ regex: "x" }',
            `{ regex: [${large.map((one) => JSON.stringify(one)).join(', ')}] }`,
          ),
          originalTestId: '',
        }),
    ],
    [
      'test with a pattern of a million states',
      () =>
        bench.call('saveTestEditorFile', {
          content: templateWith('x{1000}'.repeat(1000), 'MILLION'),
          originalTestId: '',
        }),
    ],
    [
      'filter with a large pattern',
      () => bench.call('saveFilterYamlTemplate', { content: filterWith('(?:a?){900}a{900}') }),
    ],
    [
      'filter with 200 large patterns',
      () =>
        bench.call('saveFilterYamlTemplate', {
          content: filterWith('x').replace('"x"', `[${large.map((one) => JSON.stringify(one)).join(', ')}]`),
        }),
    ],
    [
      'filter tried on samples of 5 MiB',
      () =>
        bench.call('testFilterYamlTemplate', { content: filterWith('(?:a?){900}z'), startTs: 0, endTs: 0 }),
    ],
    ['data type with a large pattern', () => bench.call('saveCustomDataType', dataType('(?:.?){400}a{300}'))],
    ['samples with that data type', () => bench.call('fetchSampleData', endpointOf(bench, '/tokens'))],
    [
      'data type with a pattern that is too large',
      () => bench.call('saveCustomDataType', dataType('(?:a?){900}a{900}')),
    ],
    ...['URL_REGEX', 'HOST_REGEX'].map(
      (type): Case => [
        `group with a large pattern, ${type}, over 20,000 endpoints`,
        () => bench.call('getEndpointsListFromConditions', group(type, '(?:.?){400}a{300}')),
      ],
    ),
    [
      'search of collections with a large pattern',
      () => bench.call('getAllCollections', { nameRegex: '(?:.?){400}a{300}' }),
    ],
    [
      'search of messages of events with a large pattern',
      () => bench.call('fetchSuspectSampleData', { limit: 10, latestApiOrigRegex: '(?:a?){900}a{900}' }),
    ],
    ['run over answers of 5 MiB', () => runOver(bench)],
    [
      'evidence of 5 MiB',
      () => bench.call('fetchTestRunResultDetails', { testingRunResultHexId: lastResult }),
    ],
    [
      'evidence of 5 MiB as a file',
      () => bench.call('exportTestResultEvidence', { testingRunResultHexId: lastResult }),
    ],
  ]
}

let lastResult = '0'.repeat(24)

async function runOver(bench: Bench): Promise<{ status: number; text: string }> {
  bench.answerWith(`[{"note":"${TEXTS['words']!(LARGE - 64)}"}]`)
  const vigil = callsOf(bench)
  await vigil.call('saveTestEditorFile', { content: templateWith('lorem', 'RUN'), originalTestId: '' })
  const apiInfoKeyList = [{ apiCollectionId: bench.collection, method: 'GET', url: '/orders' }]
  const order = { ...wholeCollection(bench.collection, ['RUN']), type: 'CUSTOM', apiInfoKeyList }
  const results = await resultsOfRun(vigil, order)
  const found = results.find(({ vulnerable }) => vulnerable)
  if (found === undefined) throw new Error('the run over answers of 5 MiB found nothing')
  lastResult = found.hexId
  return { status: 200, text: '' }
}

/** The server as the helpers of tests call it; an answer that is an error throws. */
export function callsOf(bench: Pick<Bench, 'call'>): Installation {
  return {
    async call(operation, body) {
      const { status, text } = await bench.call(operation, body)
      if (status !== 200) throw new Error(`${operation} answered ${status} ${text.slice(0, 200)}`)
      return JSON.parse(text) as Record<string, unknown>
    },
  }
}

/** Shows a live message whose response has thousands of sensitive values, in every way that messages are shown. */
function shownCases(bench: Bench, text: string, body: string): readonly Case[] {
  const path = `/${text.replaceAll(' ', '-')}`
  const shown = (name: string, work: () => ReturnType<Bench['call']>): Case => [
    `${name} of 64 KiB, ${text}`,
    async () => {
      const answer = await work()
      return { ...answer, text: `"actionErrors":["${answer.text.length} bytes` }
    },
  ]
  return [
    [
      `live message with a response of 64 KiB, ${text}`,
      () => bench.call('ingestData', { batchData: liveMessages(bench, body, path) }),
    ],
    shown('samples', () => bench.call('fetchSampleData', endpointOf(bench, path))),
    shown('sensitive samples', () => bench.call('fetchSensitiveSampleData', endpointOf(bench, path))),
    shown('parameters', () => bench.call('loadParamsOfEndpoint', endpointOf(bench, path))),
    shown('samples for Burp', () => bench.call('importInBurp', { collectionName: bench.host, limit: 100 })),
  ]
}

/** URLs and lines of a crawl and of a detector, whose sensitive values are masked before they are kept. */
function crawledCases(bench: Bench): readonly Case[] {
  const long = (chars: number): string =>
    `https://shop.test/a?${SENSITIVE['form of passwords']!.repeat(100).slice(0, chars)}`
  const crawl = { crawlId: '0'.repeat(24) }
  const begun = async (operation: string, body: object) => {
    const answer = await bench.call('initiateCrawler', {
      ...{ hostname: 'https://shop.test', crawlingTime: 600, collectionName: `crawl ${operation}` },
    })
    if (answer.status !== 200) throw new Error(answer.text)
    const { crawlerRuns } = JSON.parse(
      (await bench.call('fetchAllDastScans', { includeAllStatuses: true })).text,
    ) as {
      crawlerRuns: { crawlId: string }[]
    }
    return bench.call(operation, { ...crawl, crawlId: crawlerRuns[0]!.crawlId, ...body })
  }
  const found = { accepted: true, sourceUrl: 'https://shop.test/' }
  const urls = Array.from({ length: 600 }, (_, i) => ({ ...found, url: `${long(8_000)}${i}` }))
  return [
    ['crawled URL of 4 MiB', () => begun('saveCrawlerUrl', { ...found, url: long(4 * MIB) })],
    [
      '600 crawled URLs of 8 KiB',
      () => begun('saveCrawlerUrlsBatch', { crawlUrlsBatch: JSON.stringify(urls) }),
    ],
    ['line of 9 KiB of a crawl', () => begun('insertDastLog', { log: { log: long(9_000) } })],
    ['graph of 1 MiB of a crawl', () => begun('uploadCrawlerGraph', { graph: long(MIB - 100) })],
    [
      'event with a URL of 4 MiB',
      () =>
        bench.call('recordMaliciousEvent', {
          maliciousEvent: {
            ...{ actor: '203.0.113.9', filterId: 'X', detectedAt: String(Math.floor(Date.now() / 1000)) },
            ...{ latestApiIp: '203.0.113.9', latestApiMethod: 'GET', latestApiEndpoint: long(4 * MIB) },
            ...{ eventType: 'EVENT_TYPE_SINGLE', category: 'C', severity: 'HIGH', host: 'shop.test' },
            ...{ latestApiCollectionId: String(bench.collection), latestApiOrig: 'x' },
          },
        }),
    ],
  ]
}

/** As many as samples are kept, each with another status or query. */
function liveMessages(bench: Bench, body: string, path: string): unknown[] {
  return Array.from({ length: 12 }, (_, i) => ({
    ...(liveMessage(bench, body, `${path}?q${i}=1`) as object),
    statusCode: 200 + i,
    time: 1_795_000_000 + i * 100_000,
  }))
}

function liveMessage({ host }: Bench, responsePayload: string, path = '/large'): unknown {
  return {
    method: 'GET',
    path,
    requestHeaders: { host },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload,
    ip: '203.0.113.9',
    time: 1_795_000_000,
    source: 'MIRRORING',
  }
}

function endpointOf({ collection }: Bench, url: string): unknown {
  return { apiCollectionId: collection, method: 'GET', url }
}

function harOf({ host }: Bench, text: string): string {
  const headers = [{ name: 'content-type', value: 'application/json' }]
  const request = {
    method: 'GET',
    url: `http://${host}/har`,
    httpVersion: 'HTTP/1.1',
    headers: [],
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: 0,
  }
  const response = {
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    headers,
    cookies: [],
    content: { size: text.length, mimeType: 'application/json', text },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  }
  const entry = {
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 1,
    request,
    response,
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  }
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'b', version: '1' }, entries: [entry] } })
}

function openApi(): string {
  const paths = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [
      `/p${i}/{id}`,
      { get: { summary: 'x'.repeat(150), responses: { 200: { description: 'd' } } } },
    ]),
  )
  return JSON.stringify({ openapi: '3.0.0', info: { title: 't', version: '1' }, paths })
}

function dataType(regex: string): unknown {
  return {
    name: 'HOSTILE',
    operator: 'AND',
    valueConditions: { operator: 'AND', predicates: [{ type: 'REGEX', value: regex }] },
  }
}

function group(type: string, regex: string): unknown {
  return { conditions: [{ type, operator: 'OR', data: { regex } }], skip: 0, limit: 10 }
}
