import type { Client, TestRunSummary } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { downloadPdf } from './report/download-pdf.ts'
import { findExecution, type ReportedExecution } from './report/find-execution.ts'
import { verifyRecord } from './report/verify-record.ts'
import { gatherScan } from './scan/gather-scan.ts'
import { reportKinds } from './scan/report-kinds.ts'
import { writeReports } from './scan/reports/index.ts'
import { failOnOf, reportsOf } from './scan/scan-options.ts'
import { activeTests } from './scan/select.ts'
import { summaryText } from './scan/summary-text.ts'
import { watchRun } from './scan/watch-run.ts'
import { serverClient, serverOptions, withServer } from './server-client.ts'
import { takeWords } from './words.ts'
import { writeNewFile } from './write-new-file.ts'

/** Kinds that a file name after their option is needed for; --json is the switch of every command. */
const KINDS = reportKinds.filter((kind) => kind !== 'json')

/** `vigil report`: what a test run of a server came to. */
export const report: Command = {
  help: `Usage: vigil report verify FILE [--public-key KEY] [--json]
       vigil report [--run NAME] [--sarif|--junit|--jsonl|--markdown|--html FILE] [--pdf FILE] [--json]
                    [--fail-on SEVERITY] [--server URL] [--key KEY]

verify checks a signed test record (JSON, HTML or PDF) without a server: code 0 when the file is as it was signed, 1 when
it was changed or signed with another key than --public-key (SPKI in base64).

Without verify: prints the summary of the newest test run of a server that has ended, and writes the reports that vigil
scan writes; - is standard output. --run names a run, or its identifier. --pdf makes the PDF of the dashboard, in a file
that must not exist yet. --json prints everything as JSON, in the format that --baseline of vigil scan reads. Ends as
vigil scan does: with code 0 when nothing at or above --fail-on (none unless given) was found, 10 when something was, 11
when not one check could be carried out, 1 when the run failed. Without --server: VIGIL_BASE_URL, else host and port of
the settings. Without --key: VIGIL_API_KEY.
`,
  async run(args) {
    const given = readArguments(args, ['run', 'pdf', 'fail-on', 'public-key', ...KINDS, ...serverOptions])
    const { options } = given
    if (given.words[0] === 'verify') {
      const [file] = takeWords(given.words.slice(1), ['FILE'])
      return verifyRecord(given, file, options['public-key'] ?? null)
    }
    takeWords(given.words, [])
    const reports = reportsOf({ ...options, json: undefined })
    const failOn = failOnOf({ 'fail-on': options['fail-on'] ?? 'none' })
    if (given.isJson && [...reports.values()].includes('-'))
      throw new Failure('BAD_COMMAND', {
        reason: '--json and a report on standard output exclude each other',
      })
    const client = serverClient(given)
    return withServer(async () => {
      const execution = await findExecution(client, options['run'] ?? null)
      const scan = await gatherExecution(client, execution, { failOn, listsChecks: reports.has('junit') })
      if (![...reports.values()].includes('-')) printResult(given, scan.result, summaryText(scan.result))
      for (const file of await writeReports(scan, reports)) process.stderr.write(`Wrote ${file}\n`)
      if (options['pdf'] !== undefined) {
        writeNewFile(options['pdf'], await downloadPdf(client, execution.summary.hexId))
        process.stderr.write(`Wrote ${options['pdf']}\n`)
      }
      return VERDICT_CODES[scan.result.verdict]
    })
  },
}

const VERDICT_CODES = {
  PASSED: exitCodes.done,
  FINDINGS: exitCodes.findings,
  NOTHING_TESTED: exitCodes.nothingTested,
  FAILED: exitCodes.failed,
} as const

async function gatherExecution(
  client: Client,
  { name, summary: listed }: ReportedExecution,
  facts: { failOn: ReturnType<typeof failOnOf>; listsChecks: boolean },
) {
  const ids = { runId: listed.testingRunHexId, summaryId: listed.hexId }
  const watcher = { progress: () => {}, proven: () => {} }
  const { summary, proven } = await watchRun(client, { ...ids, collectionIds: [] }, watcher)
  const source = { client, tests: await activeTests(client), baseline: null }
  return gatherScan(
    source,
    { ...ids, summary, proven },
    {
      ...facts,
      target: name,
      inputs: [],
      startedAt: new Date(summary.startTimestamp * 1000).toISOString(),
      seconds: secondsOf(summary),
      tests: summary.testInitiatedCount,
    },
  )
}

function secondsOf({ startTimestamp, endTimestamp }: TestRunSummary): number {
  return Math.max(0, endTimestamp - startTimestamp)
}
