import protobuf from 'protobufjs'
import { Failure } from '../../kit/index.ts'
import type { DeclaredOperation } from '../declared-operation.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { Importer } from '../importer.ts'
import { parseJsonDocument } from '../json-document.ts'
import { MethodReader } from '../protobuf/operations.ts'
import { asObject, own } from '../untrusted-value.ts'

/** Longest file; the largest public ones have less than a megabyte. */
const MAX_CHARS = 4_194_304
const MAX_OPERATIONS = 20_000
const MAX_NAMESPACES = 20_000
const NAMES_TOLD = 20

/**
 * Services of Protocol Buffers: a `.proto` file, or a set of them as the JSON descriptor of protobuf.js, which
 * `vigil import` makes of several files and of gRPC reflection. Each method is declared by its gRPC path, and by the
 * HTTP forms that `google.api.http` gives it.
 */
export const protobufImporter: Importer = {
  name: 'protobuf',
  label: 'Protocol Buffers (.proto)',
  endings: ['.proto'],
  detect: ({ shape, keys, isArray, head }) =>
    shape === 'json'
      ? !isArray && keys.has('nested')
      : /^[ \t]*(?:syntax[ \t]*=[ \t]*["']proto[23]["']|edition[ \t]*=[ \t]*["']20\d\d["'])[ \t]*;/m.test(
          head,
        ),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    if (text.length > MAX_CHARS)
      throw new Failure('IMPORT_TOO_LARGE', { format: 'proto', size: text.length, limit: MAX_CHARS })
    const { root, told } = parse(text)
    const report = new ImportReportWriter(options.fileName ?? 'Protocol Buffers')
    for (const { where, reason } of warnings) report.warn(where, reason)
    for (const reason of told) report.warn('', reason)
    const baseUrl = options.baseUrl ?? ''
    const declared = readServices(root, URL.canParse(baseUrl) ? new URL(baseUrl).origin : '', report)
    if (report.total === 0) throw unreadable('protobuf', 'it describes no service with methods')
    return { importer: 'protobuf', exchanges: [], declared, report }
  },
}

function parse(text: string): { root: protobuf.Root; told: readonly string[] } {
  if (/^\s*\{/.test(text)) {
    const { value, warnings } = parseJsonDocument(text, 'protobuf')
    const nested = asObject(own(asObject(value), 'nested'))
    if (nested === undefined) throw unreadable('protobuf', 'it has no "nested" object')
    return orUnreadable(() => {
      const root = new protobuf.Root()
      // Not `fromJSON`, which refuses a file of which an import is missing.
      root.addJSON(nested as Record<string, protobuf.AnyNestedObject>)
      return { root, told: warnings }
    })
  }
  return orUnreadable(() => {
    const { root } = protobuf.parse(text, { alternateCommentMode: true, preferTrailingComment: false })
    return { root, told: [] }
  })
}

function orUnreadable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error)) throw error
    const where = /\((line \d+)\)/.exec(error.message)?.[1] ?? ''
    const reason =
      error instanceof RangeError ? 'it is nested too deep' : error.message.replace(/ \(line \d+\)/, '')
    throw unreadable('protobuf', reason.slice(0, 200).toWellFormed(), where, error)
  }
}

function readServices(root: protobuf.Root, origin: string, report: ImportReportWriter): DeclaredOperation[] {
  const reader = new MethodReader(origin)
  const declared: DeclaredOperation[] = []
  let index = 0
  for (const service of servicesOf(root)) {
    for (const method of service.methodsArray) {
      const where = `${service.fullName.replace(/^\./, '')}.${method.name}`.slice(0, 300)
      if (index >= MAX_OPERATIONS) {
        report.stop(where, `only the first ${MAX_OPERATIONS} operations are read`)
        return declared
      }
      for (const read of orUnreadable(() => reader.read(service, method))) {
        report.take(index, where, describeRequest(read.method, origin + read.path), read.problems)
        declared.push({ ...read, index, where })
        index++
      }
    }
  }
  for (const name of reader.missing.slice(0, NAMES_TOLD))
    report.warn('', `the message ${name.slice(0, 120)} is not defined here: import the files together`)
  return declared
}

/** Every service, in the order of the namespaces. */
function servicesOf(root: protobuf.Root): protobuf.Service[] {
  const services: protobuf.Service[] = []
  const waiting: protobuf.NamespaceBase[] = [root]
  for (let seen = 0; waiting.length > 0 && seen < MAX_NAMESPACES; seen++) {
    const namespace = waiting.shift()!
    for (const one of namespace.nestedArray)
      if (one instanceof protobuf.Service) services.push(one)
      else if (one instanceof protobuf.Namespace && !(one instanceof protobuf.Type)) waiting.push(one)
  }
  return services
}
