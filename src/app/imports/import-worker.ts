import { parentPort } from 'node:worker_threads'
import {
  importFormats,
  importFormatTable,
  kindOfImporter,
  type OperationName,
  readRequest,
} from '../../contract/index.ts'
import { Failure, ThreadCalls } from '../../kit/index.ts'
import {
  type ImportedExchange,
  type ImportedFinding,
  type ImportResult,
  importText,
  openApiJsonText,
  plainReport,
  readFieldMapping,
  readPostmanEnvironment,
  withEnvironment,
} from '../../traffic/index.ts'
import type { DeclaredSlice, OpenedHead, ReaderSource, Slice } from './reader-protocol.ts'

/** Thread that reads files: one at a time, in slices that the other side asks for, so memory stays bounded. */
const MAX_SLICE_ITEMS = 250
const MAX_SLICE_CHARS = 4_000_000
/** Declared operations of one slice: the other side reads them without a pause. */
const MAX_SLICE_OPERATIONS = 500

let result: ImportResult | null = null
let items: Iterator<ImportedExchange> | null = null
let findings: Iterator<ImportedFinding> | null = null
let declaredSent = 0

/** Fields of the request and the file inside, from the bytes of an operation's body. */
function openBody(
  operation: OperationName,
  body: Uint8Array,
): { input: Record<string, unknown>; content: string | Uint8Array } {
  let parsed: unknown
  try {
    parsed = body.byteLength === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new Failure('INVALID_JSON_BODY', {}, { cause: error })
  }
  const input = { ...(readRequest(operation, parsed) as Record<string, unknown>) }
  const key = ['content', 'openAPIString', 'postmanCollectionFile'].find((name) => input[name] !== undefined)
  const value = key === undefined ? '' : input[key]
  if (key !== undefined) delete input[key]
  if (typeof value !== 'string') return { input, content: JSON.stringify(value) }
  return { input, content: input['contentEncoding'] === 'base64' ? Buffer.from(value, 'base64') : value }
}

function open(source: ReaderSource): OpenedHead {
  const opened =
    source.kind === 'body' ? openBody(source.operation, source.body) : { input: {}, content: source.text }
  const format = importFormats.find((word) => word === opened.input['format'])
  const importer = source.importer ?? (format && importFormatTable[format].importer)
  const fileName = opened.input['fileName']
  const environment = opened.input['environment']
  const baseUrl = source.baseUrl ?? readBaseUrl(opened.input['baseUrl'])
  const variables = environment == null ? undefined : readPostmanEnvironment(environment)
  const fields = readFieldMapping(opened.input['fields'])
  result = importText(opened.content, {
    // Names for its fields say that it is a log.
    ...(importer ? { importer } : fields ? { importer: 'access-log' as const } : {}),
    ...(typeof fileName === 'string' ? { fileName } : {}),
    ...(variables ? { variables } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    ...(fields ? { fields } : {}),
    ...(source.dataSource ? { source: source.dataSource } : {}),
  })
  items = result.exchanges[Symbol.iterator]()
  findings = (result.findings ?? [])[Symbol.iterator]()
  declaredSent = 0
  const kind = kindOfImporter(result.importer)
  const isDocument = kind === 'DOCUMENT' || kind === 'SPECIFICATION'
  const document = isDocument ? keptText(opened.content, variables) : null
  const isYaml = document !== null && result.importer === 'openapi' && !/^\s*\{/.test(document)
  return {
    input: opened.input,
    importer: result.importer,
    title: result.report.title,
    document,
    documentJson: isYaml ? openApiJsonText(document) : null,
  }
}

/** An address, or the path of one on the host of the collection. @throws Failure INVALID_BASE_URL */
function readBaseUrl(sent: unknown): string {
  const text = typeof sent === 'string' ? sent.trim() : ''
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (text !== '' && !isUrl && !/^\/[^\s?#]*$/.test(text)) throw new Failure('INVALID_BASE_URL', {})
  return text
}

/** A document as it is kept: taken over later, it has the environment that came with it. */
function keptText(content: string | Uint8Array, variables: Record<string, string> | undefined): string {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
  return variables && result?.importer === 'postman' ? withEnvironment(text, variables) : text
}

function declared(): DeclaredSlice {
  const all = result!.declared
  const operations = all.slice(declaredSent, declaredSent + MAX_SLICE_OPERATIONS)
  declaredSent += operations.length
  return { operations, isLast: declaredSent >= all.length }
}

function next(): Slice {
  const slice: Slice = { items: [], findings: [], report: null }
  let chars = 0
  while (slice.items.length + slice.findings.length < MAX_SLICE_ITEMS && chars < MAX_SLICE_CHARS) {
    const item = items!.next()
    if (!item.done) {
      slice.items.push(item.value)
      chars += bodyChars(item.value.exchange)
      continue
    }
    const finding = findings!.next()
    if (finding.done) {
      const report = plainReport(result!.report)
      forget()
      return { ...slice, report }
    }
    slice.findings.push(finding.value)
    chars += finding.value.exchange === null ? 0 : bodyChars(finding.value.exchange)
  }
  return slice
}

function bodyChars({ request, response }: ImportedExchange['exchange']): number {
  return request.body.length + response.body.length
}

function forget(): void {
  result = null
  items = null
  findings = null
}

/** A file that turns out to be broken is let go. */
function orForget<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    forget()
    throw error
  }
}

const methods = {
  open: (source: ReaderSource): OpenedHead => orForget(() => open(source)),
  declared: (): DeclaredSlice => orForget(declared),
  next: (): Slice => orForget(next),
}

export type ReaderMethods = typeof methods

new ThreadCalls(parentPort!, methods)
