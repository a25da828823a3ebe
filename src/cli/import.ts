import { CallError, type Client } from '../contract/client.ts'
import { accessLogFields, importFormatTable, ONLY_SEVERITIES } from '../contract/import-formats.ts'
import type { ImportSummary } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { type Input, readInput } from './read-input.ts'
import { serverClient, serverOptions, withServer } from './server-client.ts'
import { reasonOf } from './server-fault.ts'

const ROWS_SHOWN = 100
const ROWS_AT_ONCE = 500
const POLL_MS = 500

/** `vigil import`: sends documents to a running server and prints what became of them. */
export const importFile: Command = {
  help: `Usage: vigil import <file|URL|-> … [--collection NAME] [--api-url URL] [--fields NAMES] [--json]
                    [--server URL] [--key KEY]

Sends HAR, OpenAPI, Postman, Insomnia, GraphQL, AsyncAPI, WSDL, .proto, Burp XML, pcap, access-log, curl, raw HTTP or
sample-message documents to one collection, and prints what was imported and, for each entry skipped, the reason. Results
of ZAP (report in JSON or XML) and nuclei (-jsonl, -json-export) become issues; without --collection they go to the
collections of their hosts. A document is a file, a URL (fetched by this command, from its host only), grpc://host:port
or grpcs:// for what a gRPC server tells of itself, or - for standard input. Documents over several files are read with
all that they refer to. All are read before the first is sent.

  --api-url   where the described API is, for an OpenAPI document without servers; for a GraphQL schema its endpoint,
              such as https://shop.example/graphql
  --fields    what the fields of a JSON access log are called, where Vigil does not know them:
              --fields method=verb,url=request.target,status=code
  --json      prints the reports as JSON

Without --server: VIGIL_BASE_URL, else host and port of the settings. Without --key: VIGIL_API_KEY. Ends with code 1 when
nothing was imported from one of the documents and nothing in it was there already; the others are imported all the same,
and a scanner that found nothing, or only informational findings, has not failed.
`,
  async run(args) {
    const given = readArguments(args, ['collection', 'api-url', 'fields', ...serverOptions])
    const { words, options, report } = given
    if (words.length === 0) throw new Failure('BAD_COMMAND', { reason: '<file> is missing' })
    if (words.filter((word) => word === '-').length > 1)
      throw new Failure('BAD_COMMAND', { reason: 'standard input can be read once' })
    const fields = fieldMapping(options['fields'])
    const client = serverClient(given)
    const inputs: Input[] = []
    for (const word of words) inputs.push(await readInput(word, report.settings))
    const apiCollectionName = options['collection'] ?? null
    const target = { apiCollectionName, baseUrl: options['api-url'] ?? null, fields }
    return withServer(() => importAll(client, inputs, target, given.isJson))
  },
}

interface Target {
  /** Null: findings of other scanners go to the collections of their hosts. */
  readonly apiCollectionName: string | null
  readonly baseUrl: string | null
  readonly fields: Record<string, string> | null
}

/** `method=verb,url=request.target` as an object. @throws Failure BAD_COMMAND */
function fieldMapping(text: string | undefined): Record<string, string> | null {
  if (text === undefined) return null
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()))
  for (const [field = '', name = '', ...more] of pairs)
    if (!(accessLogFields as readonly string[]).includes(field) || name === '' || more.length > 0)
      throw new Failure('BAD_COMMAND', {
        reason: `--fields takes pairs such as method=verb, with the names ${accessLogFields.join(', ')}`,
      })
  return Object.fromEntries(pairs)
}

async function importAll(
  client: Client,
  inputs: readonly Input[],
  target: Target,
  isJson: boolean,
): Promise<number> {
  const reports: { input: string; report: ImportSummary }[] = []
  let code: number = exitCodes.done
  for (const input of inputs) {
    const report = await send(client, input, target)
    reports.push({ input: input.name, report })
    if (await isFailed(client, report)) code = exitCodes.failed
    if (!isJson) await print(client, inputs.length > 1 ? `${input.name}: ` : '', report)
  }
  if (isJson) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`)
  return code
}

/** A scanner that found nothing of a severity did its work; of any other document something must be taken. */
async function isFailed(client: Client, report: ImportSummary): Promise<boolean> {
  const { format, status, taken, skipped, duplicates, uploadId } = report
  if (taken + duplicates > 0) return false
  if (importFormatTable[format].kind !== 'FINDINGS' || status === 'FAILED') return true
  for (let skip = 0; skip < skipped; skip += ROWS_AT_ONCE) {
    const page = { outcomes: ['SKIPPED' as const], skip, limit: ROWS_AT_ONCE }
    const { rows, total } = await client.op.fetchImportReport({ uploadId, ...page })
    if (rows.some(({ reasons }) => !reasons.some((reason) => reason.endsWith(ONLY_SEVERITIES)))) return true
    if (skip + rows.length >= total) break
  }
  return false
}

async function send(client: Client, { bytes, fileName }: Input, target: Target): Promise<ImportSummary> {
  const text = new TextDecoder().decode(bytes)
  // What is not UTF-8 goes as it is, for the server to say what is wrong with it.
  const isText = Buffer.from(text).equals(bytes)
  const content = isText ? text : bytes.toString('base64')
  const contentEncoding = isText ? 'text' : 'base64'
  try {
    const imported = await client.op.importTraffic({ content, contentEncoding, fileName, ...target })
    return await ended(client, imported.report)
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'IMPORT_TARGET_REQUIRED') throw error
    throw new Failure('BAD_COMMAND', {
      reason: `--collection is missing for ${fileName}: only results of ZAP and nuclei are imported without it, and only with an API key that may use every collection`,
    })
  }
}

/** The report once a large document was read to its end. */
async function ended(client: Client, first: ImportSummary): Promise<ImportSummary> {
  let report = first
  while (report.status === 'IN_PROGRESS') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    report = (await client.op.fetchImportReport({ uploadId: report.uploadId, limit: 1 })).report
  }
  return report
}

async function print(client: Client, name: string, report: ImportSummary): Promise<void> {
  const { format, total, taken, skipped, duplicates, warnings } = report
  const { label } = importFormatTable[format]
  process.stdout.write(
    `${name}${label}: ${entries(total)}, ${taken} imported, ${skipped} skipped, ${duplicates} repeated\n`,
  )
  for (const warning of warnings) process.stdout.write(`warning: ${warning}\n`)
  try {
    if (taken > 0) await printDoubts(client, report.uploadId)
    if (skipped > 0) await printSkipped(client, report.uploadId, skipped)
  } catch (error) {
    // The import is done, whatever becomes of the remarks on it.
    const reason = await reasonOf(error)
    if (reason === null) throw error
    process.stdout.write(`warning: the remarks on entries could not be read: ${reason}\n`)
  }
}

function entries(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'}`
}

/** What is wrong with the first entries that were taken all the same, each reason once. */
async function printDoubts(client: Client, uploadId: string): Promise<void> {
  const doubts = new Map<string, { first: string; count: number }>()
  const page = { outcomes: ['TAKEN_WITH_WARNINGS' as const], limit: ROWS_AT_ONCE }
  const { rows, total } = await client.op.fetchImportReport({ uploadId, ...page })
  for (const { place, what, reasons } of rows)
    for (const reason of reasons) {
      const { first, count } = doubts.get(reason) ?? { first: `${place}: ${what}`, count: 0 }
      doubts.set(reason, { first, count: count + 1 })
    }
  for (const [reason, { first, count }] of [...doubts].slice(0, ROWS_SHOWN))
    process.stdout.write(
      `warning: ${first}: ${reason}${count > 1 ? ` (${entries(count)}, this is the first)` : ''}\n`,
    )
  if (doubts.size > ROWS_SHOWN)
    process.stdout.write(`… and ${doubts.size - ROWS_SHOWN} more warnings, in the dashboard\n`)
  if (total > rows.length)
    process.stdout.write(`… and ${entries(total - rows.length)} more with warnings, in the dashboard\n`)
}

async function printSkipped(client: Client, uploadId: string, skipped: number): Promise<void> {
  const { rows } = await client.op.fetchImportReport({ uploadId, outcomes: ['SKIPPED'], limit: ROWS_SHOWN })
  for (const { place, what, reasons } of rows) {
    process.stdout.write(`skipped: ${place}: ${what}: ${reasons.join(', ')}\n`)
  }
  if (skipped > rows.length) process.stdout.write(`… and ${skipped - rows.length} more, in the dashboard\n`)
}
