/**
 * Runs the whole library on an application that is not ours, and prints what was proven.
 *
 *   node bench/real-targets/run.ts --url http://127.0.0.1:3000 (--use NAME | --har FILE | --openapi FILE)
 *     [--role 'MEMBER=Authorization: Bearer …'] … [--seconds 900] [--evidence FOLDER]
 *
 * `--use` lets a recorder of this folder use the application as its own clients would, and knows its roles; `--har` and
 * `--openapi` import a file instead. `--role` gives a test role a header, ATTACKER_TOKEN_ALL being the second user.
 * `--tests` names some tests, separated by commas; `--results` saves every result as a line, whatever came of it.
 * `--evidence` saves the evidence of every finding. Only addresses of this machine are accepted.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startServerProcess } from '../../test/demo/server-process.ts'
import { allTests, collectionOf, giveRole, type Installation, wholeCollection } from '../../test/use-vigil.ts'
import { RECORDERS, type RoleIdentity } from './targets.ts'

const KEY = 'realtargetsrealtargetsrealtargetsrealtar'
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    use: { type: 'string' },
    har: { type: 'string' },
    openapi: { type: 'string' },
    role: { type: 'string', multiple: true },
    seconds: { type: 'string' },
    evidence: { type: 'string' },
    results: { type: 'string' },
    tests: { type: 'string' },
  },
})

interface FindingItem {
  hexId: string
  testSubType: string
  apiInfoKey: { method: string; url: string }
  testResults: { confidence: string; validationReason: string; message: string | null }[]
}

const origin = targetOf(values.url)
const folder = mkdtempSync(join(tmpdir(), 'vigil-real-target-'))
const server = await startServerProcess(folder, 0, KEY, new AbortController().signal)
try {
  const vigil = server.installation
  const { collectionId, roles } = await observe(vigil)
  for (const identity of [...roles, ...(values.role ?? []).map(roleOf)])
    await giveRole(vigil, identity.role, identity.headers)
  const tests = values.tests?.split(',') ?? (await allTests(vigil))
  const started = performance.now()
  const run = await vigil.call('startTest', {
    ...wholeCollection(collectionId, tests),
    testRunTime: Number(values.seconds ?? 900),
  })
  const summaryId = String(run['testingRunResultSummaryHexId'])
  const summary = await ended(vigil, summaryId)
  const found = await findings(vigil, summaryId)
  for (const item of found) await show(vigil, item)
  if (values.results !== undefined) writeFileSync(values.results, await allResults(vigil, summaryId))
  const counts = await vigil.call('fetchTestRunResultsCount', { testingRunResultSummaryHexId: summaryId })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `${found.length} findings; ${String(summary['testInitiatedCount'])} tests on ${String(summary['totalApis'])} endpoints, ${String(summary['state'])} after ${seconds} s; results: ${JSON.stringify(counts)}`,
  )
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function targetOf(text: string | undefined): string {
  if (text === undefined || !URL.canParse(text)) throw new Error('--url is missing')
  const { hostname, origin: target } = new URL(text)
  if (hostname !== '127.0.0.1' && hostname !== 'localhost' && hostname !== '[::1]')
    throw new Error('only applications on this machine are tested')
  return target
}

/** Makes the endpoints known; @returns their collection, and the roles that a recorder knows. */
async function observe(
  vigil: Installation,
): Promise<{ collectionId: number; roles: readonly RoleIdentity[] }> {
  const { host } = new URL(origin)
  if (values.use !== undefined) {
    const recorder = Object.hasOwn(RECORDERS, values.use) ? RECORDERS[values.use] : undefined
    if (recorder === undefined) throw new Error(`--use takes ${Object.keys(RECORDERS).join(', ')}`)
    const { messages, roles } = await recorder(origin)
    await vigil.call('ingestData', { batchData: messages })
    return { collectionId: await collectionOf(vigil, host), roles }
  }
  const path = values.har ?? values.openapi
  if (path === undefined) throw new Error('--use, --har or --openapi is missing')
  await vigil.call('importTraffic', {
    content: readFileSync(path, 'utf8'),
    fileName: basename(path),
    apiCollectionName: host,
  })
  const { apiCollections } = (await vigil.call('getAllCollectionsBasic', {})) as {
    apiCollections: { id: number; displayName: string; hostName: string | null }[]
  }
  const made = apiCollections.find(({ displayName, hostName }) => displayName === host || hostName === host)
  if (made === undefined) throw new Error('the file made no collection')
  return { collectionId: made.id, roles: [] }
}

function roleOf(text: string): RoleIdentity {
  const [, role, name, value] = /^([^=]+)=([^:]+):\s*(.*)$/.exec(text) ?? []
  if (role === undefined || name === undefined || value === undefined)
    throw new Error("--role takes NAME='Header: value'")
  return { role, headers: { [name]: value } }
}

async function ended(vigil: Installation, summaryId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const summary = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
    if (summary['state'] !== 'SCHEDULED' && summary['state'] !== 'RUNNING') return summary
    await pause(500)
  }
}

async function findings(vigil: Installation, summaryId: string): Promise<FindingItem[]> {
  const { testingRunResults } = (await vigil.call('fetchTestingRunResults', {
    testingRunResultSummaryHexId: summaryId,
    queryMode: 'VULNERABLE',
    sortKey: 'severity',
    sortOrder: -1,
    limit: 1000,
    skip: 0,
    queryValue: '',
  })) as { testingRunResults: FindingItem[] }
  return testingRunResults
}

async function allResults(vigil: Installation, summaryId: string): Promise<string> {
  const lines: string[] = []
  for (let skip = 0; ; skip += 1000) {
    const page = (await vigil.call('fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode: 'ALL',
      sortKey: 'time',
      sortOrder: 1,
      limit: 1000,
      skip,
      queryValue: '',
    })) as { testingRunResults: (FindingItem & { vulnerable: boolean; errorsList: string[] })[] }
    for (const { testSubType, apiInfoKey, vulnerable, testResults, errorsList } of page.testingRunResults) {
      const path = apiInfoKey.url.replace(/^https?:\/\/[^/]+/, '')
      const { validationReason = '', message = null } = testResults[0] ?? {}
      lines.push(
        [
          vulnerable ? 'FOUND' : '-',
          testSubType,
          apiInfoKey.method,
          path,
          validationReason,
          message ?? '',
          ...errorsList,
        ].join('\t'),
      )
    }
    if (page.testingRunResults.length < 1000) return `${lines.join('\n')}\n`
  }
}

async function show(vigil: Installation, item: FindingItem): Promise<void> {
  const { confidence = '', validationReason = '', message = null } = item.testResults[0] ?? {}
  const path = item.apiInfoKey.url.replace(/^https?:\/\/[^/]+/, '')
  console.log(`${confidence.padEnd(8)} ${item.testSubType} ${item.apiInfoKey.method} ${path}`)
  console.log(`         ${validationReason}`)
  if (message !== null) console.log(`         ${message.slice(0, 300)}`)
  if (values.evidence === undefined) return
  const { fileName, evidence } = await vigil.call('exportTestResultEvidence', {
    testingRunResultHexId: item.hexId,
  })
  mkdirSync(values.evidence, { recursive: true })
  writeFileSync(
    join(values.evidence, `${item.testSubType}-${String(fileName)}`),
    `${JSON.stringify(evidence, null, 2)}\n`,
  )
}
