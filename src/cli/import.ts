import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { baseUrlOf } from '../app/index.ts'
import { CallError, type Client, createClient, type ImportSummary } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

const ROWS_SHOWN = 100
const LOOK_EVERY_MS = 500

/** `vigil import`: sends a file to a running server and prints what became of it. */
export const importFile: Command = {
  help: `Usage: vigil import <file> --collection NAME [--api-url URL] [--server URL] [--key KEY]

Sends a HAR, OpenAPI, Postman, GraphQL, Burp XML, curl, raw HTTP or sample-message file and prints what was taken and, for
each entry skipped, the reason. --api-url: where the described API is, for an OpenAPI document without servers; for a
GraphQL schema its endpoint, such as https://shop.example/graphql. Without --server: VIGIL_BASE_URL, else host and port of
the settings. Without --key: VIGIL_API_KEY. Ends with code 1 when nothing was taken.
`,
  async run(args) {
    const { words, options, report } = readArguments(args, ['collection', 'api-url', 'server', 'key'])
    const [path] = takeWords(words, ['file'])
    const collection = options['collection']
    if (!collection) throw new Failure('BAD_COMMAND', { reason: '--collection is missing' })
    const apiKey = options['key'] ?? report.settings.apiKey
    if (!apiKey)
      throw new Failure('BAD_COMMAND', { reason: '--key is missing, and VIGIL_API_KEY is not set' })
    const client = createClient({ baseUrl: options['server'] ?? baseUrlOf(report.settings), apiKey })
    try {
      const target = { apiCollectionName: collection, baseUrl: options['api-url'] ?? null }
      return await send(client, path, target, report.settings.maxImportBytes)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      process.stderr.write(`vigil: ${error.messages.join('\n')}\n`)
      return exitCodes.failed
    }
  },
}

async function send(
  client: Client,
  path: string,
  target: { readonly apiCollectionName: string; readonly baseUrl: string | null },
  limit: number,
): Promise<number> {
  if (statSync(path).size > limit) {
    throw new Failure('BAD_COMMAND', {
      reason: `${path} is larger than ${limit} bytes; split it, or raise VIGIL_MAX_IMPORT_BYTES here and for the server`,
    })
  }
  const bytes = readFileSync(path)
  const text = new TextDecoder().decode(bytes)
  // What is no UTF-8 goes as it is, for the server to say what is wrong with it.
  const isText = Buffer.from(text).equals(bytes)
  const imported = await client.op.importTraffic({
    content: isText ? text : bytes.toString('base64'),
    contentEncoding: isText ? 'text' : 'base64',
    fileName: basename(path),
    ...target,
  })
  const report = await ended(client, imported.report)
  const { taken, skipped, duplicates, total, warnings } = report
  process.stdout.write(
    `${report.format}: ${total} entries, ${taken} taken, ${skipped} skipped, ${duplicates} repeated\n`,
  )
  for (const warning of warnings) process.stdout.write(`warning: ${warning}\n`)
  if (skipped > 0) await printSkipped(client, report.uploadId, skipped)
  return taken > 0 || total === duplicates ? exitCodes.done : exitCodes.failed
}

/** The report once a large file was read to its end. */
async function ended(client: Client, first: ImportSummary): Promise<ImportSummary> {
  let report = first
  while (report.status === 'IN_PROGRESS') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    report = (await client.op.fetchImportReport({ uploadId: report.uploadId, limit: 1 })).report
  }
  return report
}

async function printSkipped(client: Client, uploadId: string, skipped: number): Promise<void> {
  const { rows } = await client.op.fetchImportReport({ uploadId, outcomes: ['SKIPPED'], limit: ROWS_SHOWN })
  for (const { place, what, reasons } of rows) {
    process.stdout.write(`skipped: ${place}: ${what}: ${reasons.join(', ')}\n`)
  }
  if (skipped > rows.length) process.stdout.write(`… and ${skipped - rows.length} more, in the dashboard\n`)
}
