import { writeFileSync } from 'node:fs'
import type { ApiInfo, Client } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { serverClient, serverOptions, withServer } from './server-client.ts'
import { takeWords } from './words.ts'

const OWNER_ONLY = 0o600

/** Writes a collection in a format. */
type Exporter = (client: Client, collectionId: number) => Promise<string>
const EXPORTERS: Readonly<Record<string, Exporter>> = { openapi: openApiOf, csv: csvOf }

/** `vigil export`: writes what a server knows of a collection. */
export const exportCollection: Command = {
  help: `Usage: vigil export openapi|csv --collection NAME [--out FILE] [--server URL] [--key KEY]

Writes a collection to standard output, or to a file that must not exist yet: openapi as one OpenAPI 3.1 document of its
endpoints, csv as a table of them with authentication, access, risk and times. Without --server: VIGIL_BASE_URL, else host
and port of the settings. Without --key: VIGIL_API_KEY.
`,
  async run(args) {
    const given = readArguments(args, ['collection', 'out', ...serverOptions])
    const [format] = takeWords(given.words, ['format'])
    const exporter = Object.hasOwn(EXPORTERS, format) ? EXPORTERS[format] : undefined
    if (exporter === undefined)
      throw new Failure('BAD_COMMAND', {
        reason: `<format> is ${Object.keys(EXPORTERS).join(' or ')}, not ${format}`,
      })
    const { collection, out } = given.options
    if (!collection) throw new Failure('BAD_COMMAND', { reason: '--collection is missing' })
    const client = serverClient(given)
    return withServer(async () => {
      const text = await exporter(client, await collectionNamed(client, collection))
      if (out === undefined) process.stdout.write(text)
      else writeNew(out, text)
      return exitCodes.done
    })
  },
}

async function collectionNamed(client: Client, name: string): Promise<number> {
  const { apiCollections } = await client.op.getAllCollectionsBasic({})
  const found = (apiCollections ?? []).filter((one) => one.displayName === name || one.name === name)
  if (found.length === 1) return found[0]!.id
  const reason =
    found.length === 0 ? 'no collection has the name' : `${found.length} collections have the name`
  throw new Failure('BAD_COMMAND', { reason: `--collection: ${reason} ${name}` })
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: OWNER_ONLY })
  } catch (error) {
    const reason = `--out: ${path} cannot be written: ${(error as Error).message}`
    throw new Failure('BAD_COMMAND', { reason }, { cause: error })
  }
}

type Tree = Record<string, unknown>

/** One document of all pages. */
async function openApiOf(client: Client, apiCollectionId: number): Promise<string> {
  let whole: Tree | null = null
  let cursor: { lastFetchedUrl?: string; lastFetchedMethod?: string } = {}
  for (;;) {
    const page = await client.op.generateOpenApiFile({ apiCollectionId, ...cursor })
    const document = JSON.parse(page.openAPIString ?? '{}') as Tree
    whole = whole === null ? document : merged(whole, document)
    if (!page.lastFetchedUrl || !page.lastFetchedMethod) return `${JSON.stringify(whole, null, 2)}\n`
    cursor = { lastFetchedUrl: page.lastFetchedUrl, lastFetchedMethod: page.lastFetchedMethod }
  }
}

/** Two trees in one: a path whose methods are on two pages has all of them. */
function merged(one: Tree, other: Tree): Tree {
  const result = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = result[name]
    result[name] = isTree(before) && isTree(value) ? merged(before, value) : value
  }
  return result
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const COLUMNS: readonly (readonly [string, (info: ApiInfo) => string])[] = [
  ['method', ({ id }) => id.method],
  ['url', ({ id }) => id.url],
  ['authentication', ({ actualAuthType }) => actualAuthType.join(' ')],
  ['access', ({ apiAccessTypes }) => apiAccessTypes.join(' ')],
  ['sensitive', ({ isSensitive }) => String(isSensitive)],
  ['risk', ({ riskScore }) => String(riskScore)],
  ['status codes', ({ responseCodes }) => responseCodes.join(' ')],
  ['discovered', ({ discoveredTimestamp }) => timeOf(discoveredTimestamp)],
  ['last seen', ({ lastSeen }) => timeOf(lastSeen)],
  ['last tested', ({ lastTested }) => timeOf(lastTested)],
]

async function csvOf(client: Client, apiCollectionId: number): Promise<string> {
  const answer = await client.op.fetchApiInfosForCollection({ apiCollectionId })
  const infos = 'apiInfoList' in answer ? answer.apiInfoList : []
  const rows = [
    COLUMNS.map(([title]) => title),
    ...infos.map((info) => COLUMNS.map(([, cell]) => cell(info))),
  ]
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

/** A cell by RFC 4180; what a spreadsheet would take for a formula gets an apostrophe in front. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function timeOf(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1000).toISOString()
}
