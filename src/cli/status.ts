import type { Client } from '../contract/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { serverAddress, serverClient, serverOptions, withServer } from './server-client.ts'
import { counted, takeWords } from './words.ts'

const HEALTH_MS = 10_000

/** `vigil status`: what a running server holds and does. */
export const status: Command = {
  help: `Usage: vigil status [--json] [--server URL] [--key KEY]

Prints the health of a running server, what its inventory holds, open issues by severity, and which test runs and crawls
work at this moment. Ends with code 1 when the server cannot be reached or a part of it failed. Without --server:
VIGIL_BASE_URL, else host and port of the settings. Without --key: VIGIL_API_KEY.
`,
  async run(args) {
    const given = readArguments(args, serverOptions)
    takeWords(given.words, [])
    const client = serverClient(given)
    const address = serverAddress(given.options, given.report.settings)
    return withServer(async () => {
      const found = await statusOf(client, address)
      printResult(given, found, statusText(found))
      return found.health === 'ok' ? exitCodes.done : exitCodes.failed
    })
  },
}

interface Status {
  readonly address: string
  readonly health: string
  readonly parts: Readonly<Record<string, string>>
  readonly collections: number
  readonly endpoints: number
  readonly openIssues: Readonly<Record<string, number>>
  readonly runs: readonly { readonly name: string; readonly done: number; readonly checks: number }[]
  readonly queuedRuns: number
  readonly crawls: readonly string[]
}

async function statusOf(client: Client, address: string): Promise<Status> {
  const [health, { apiCollections }, issues, runs, { crawlerRuns }] = await Promise.all([
    healthOf(address),
    client.op.getAllCollectionsBasic({}),
    client.op.fetchIssueGroups({ filterStatus: ['OPEN'], limit: 1 }),
    client.op.fetchActiveTestRunsStatus({}),
    client.op.fetchAllDastScans({}),
  ])
  const collections = (apiCollections ?? []).filter(({ type }) => type !== 'API_GROUP')
  return {
    address,
    health: health.status,
    parts: health.parts ?? {},
    collections: collections.length,
    endpoints: collections.reduce((sum, { urlsCount }) => sum + urlsCount, 0),
    openIssues: issues.openGroupsBySeverity,
    runs: runs.currentRunningTestsStatus.map(({ testingRunId, testsInitiated, testsInsertedInDb }) => ({
      ...{ name: testingRunId, done: testsInsertedInDb, checks: testsInitiated },
    })),
    queuedRuns: runs.testRunsQueued,
    crawls: crawlerRuns.filter(({ status }) => status === 'RUNNING').map(({ hostname }) => hostname),
  }
}

async function healthOf(address: string): Promise<{ status: string; parts?: Record<string, string> }> {
  const answer = await fetch(`${address.replace(/\/$/, '')}/health`, {
    signal: AbortSignal.timeout(HEALTH_MS),
  })
  // An address that belongs to something else answers without JSON.
  return answer
    .json()
    .then((body) => body as { status: string; parts?: Record<string, string> })
    .catch(() => ({ status: `status ${answer.status}` }))
}

function statusText(found: Status): string {
  const { address, health, parts, collections, endpoints, openIssues, runs, queuedRuns, crawls } = found
  const failed = Object.entries(parts).filter(([, state]) => state !== 'ok')
  const issues = Object.entries(openIssues).map(([severity, count]) => `${count} ${severity.toLowerCase()}`)
  const lines = [
    `${address}: ${health}${failed.map(([part, state]) => `, ${part} ${state}`).join('')}`,
    `  Inventory    ${counted(collections, 'collection')}, ${counted(endpoints, 'endpoint')}`,
    `  Open issues  ${issues.join(', ')}`,
    `  Test runs    ${runs.length} running, ${queuedRuns} waiting`,
    ...runs.map(({ name, done, checks }) => `    ${name}: ${done} of ${checks} checks`),
    `  Crawls       ${crawls.length} running${crawls.map((host) => `\n    ${host}`).join('')}`,
  ]
  return `${lines.join('\n')}\n`
}
