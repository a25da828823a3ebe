import type { CurlEntry } from '../../http/index.ts'
import { curlStartsAt, LineCursor, readCurl } from '../../http/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'

const MAX_COMMANDS = 100_000

/** curl command lines, one or many, with prose between them. Requests without response: their status is 0. */
export const curlImporter: Importer = {
  name: 'curl',
  label: 'curl commands',
  endings: ['.sh', '.curl'],
  detect: ({ shape, head }) => {
    if (shape !== 'text') return false
    for (let at = head.indexOf('curl'); at >= 0; at = head.indexOf('curl', at + 4)) {
      if (curlStartsAt(head, head.lastIndexOf('\n', at) + 1)) return true
    }
    return false
  },
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const commands = readCurl(text)
    const first = commands.next()
    if (first.done) throw unreadable('curl', 'it holds no curl command')
    const report = new ImportReportWriter(options.fileName ?? 'curl')
    for (const { where, reason } of warnings) report.warn(where, reason)
    const exchanges = readCommands(text, first.value, commands, report, options)
    return { importer: 'curl', exchanges, declared: [], report }
  },
}

function* readCommands(
  text: string,
  first: CurlEntry,
  others: Iterable<CurlEntry>,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const lines = new LineCursor(text)
  let index = 0
  const take = function* (entry: CurlEntry): Generator<ImportedExchange> {
    const where = `line ${lines.at(entry.offset).line}`
    const [request] = entry.requests
    const what = describeRequest(request?.method ?? 'curl', request?.target)
    if (request === undefined) report.skip(index, where, what, entry.problem ?? 'it names no URL')
    else {
      const notes = entry.problem === undefined ? entry.notes : [...entry.notes, entry.problem]
      report.take(index, where, what, [...new Set(notes)])
    }
    for (const one of entry.requests) {
      const response = { status: 0, reason: '', headers: [], body: '' }
      const exchange = {
        // A copy: parts of the file's text would keep all of it in memory as long as the request is known.
        request: structuredClone(one),
        response,
        at: options.at ?? nowSeconds(),
        clientIp: '',
        serverIp: '',
        source: options.source ?? 'OTHER',
        direction: 1,
        vxlanId: 0,
      } as const
      yield { exchange, index, where, what: describeRequest(one.method, one.target) }
    }
    index++
  }
  yield* take(first)
  for (const entry of others) {
    if (index >= MAX_COMMANDS) {
      report.stop(`line ${lines.at(entry.offset).line}`, `only the first ${MAX_COMMANDS} commands are read`)
      return
    }
    yield* take(entry)
  }
}
