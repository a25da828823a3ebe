import { readBurpItem } from '../burp-item.ts'
import { BurpXmlReader } from '../burp-xml-reader.ts'
import { DecodeBudget } from '../decode-budget.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'

const MAX_ITEMS = 100_000

/** Items that Burp saves as XML, with base64 or plain messages. */
export const burpXmlImporter: Importer = {
  name: 'burp-xml',
  label: 'Burp items (XML)',
  endings: ['.xml', '.burp'],
  detect: ({ shape, head }) => shape === 'xml' && /<items[\s>/]/.test(head),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const report = new ImportReportWriter(options.fileName ?? 'Burp items')
    for (const { where, reason } of warnings) report.warn(where, reason)
    const reader = new BurpXmlReader(text)
    reader.enterRoot()
    if (reader.root !== 'items') {
      const { reason, where } = reader.stopped ?? { reason: 'its root element is not "items"', where: '' }
      throw unreadable('burp-xml', reason, where)
    }
    return { importer: 'burp-xml', exchanges: readItems(reader, report, options), declared: [], report }
  },
}

function* readItems(
  reader: BurpXmlReader,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const budget = new DecodeBudget()
  let index = 0
  for (const item of reader.items()) {
    const where = `line ${item.line}`
    if (index >= MAX_ITEMS) {
      report.stop(where, `only the first ${MAX_ITEMS} items are read`)
      return
    }
    const read = item.problem ?? readBurpItem(item, budget, options)
    const what = describeRequest(item.fields.get('method'), item.fields.get('url'))
    if (typeof read === 'string') report.skip(index, where, what, read)
    else {
      report.take(index, where, what, read.notes)
      yield { exchange: read.exchange, index, where, what }
    }
    index++
  }
  if (reader.unfinished !== undefined) {
    const { line, fields } = reader.unfinished
    const what = describeRequest(fields.get('method'), fields.get('url'))
    report.skip(index, `line ${line}`, what, 'the item is not complete')
  }
  if (reader.stopped !== undefined) report.stop(reader.stopped.where, reader.stopped.reason)
}
