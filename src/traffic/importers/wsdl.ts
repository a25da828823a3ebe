import type { DeclaredOperation } from '../declared-operation.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { Importer } from '../importer.ts'
import { cutText } from '../untrusted-value.ts'
import { WsdlReader } from '../wsdl/operations.ts'
import { isFault, readXmlTree } from '../xml-tree.ts'

const IMPORTS_TOLD = 20

/**
 * WSDL 1.1 with SOAP 1.1 or 1.2 over HTTP: every operation of every port, with an envelope built from the schemas. The
 * described service is never called, and imported documents are never loaded.
 */
export const wsdlImporter: Importer = {
  name: 'wsdl',
  label: 'WSDL 1.1 (SOAP)',
  endings: ['.wsdl'],
  detect: ({ shape, head }) =>
    shape === 'xml' &&
    /<(?:[\w.-]{1,40}:)?(?:definitions|description)\b[^>]{0,4000}http:\/\/(?:schemas\.xmlsoap\.org|www\.w3\.org\/ns)\/wsdl/.test(
      head,
    ),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const root = readXmlTree(text)
    if (isFault(root)) throw unreadable('wsdl', root.reason, root.where)
    if (root.name === 'description') throw unreadable('wsdl', 'WSDL 2.0 is not supported, only WSDL 1.1')
    if (root.name !== 'definitions')
      throw unreadable('wsdl', `its root element is "${root.name.slice(0, 40)}", not "definitions"`)
    const report = new ImportReportWriter(
      cutText(root.attributes.get('name'), 200) || (options.fileName ?? 'WSDL'),
    )
    for (const { where, reason } of warnings) report.warn(where, reason)
    const reader = new WsdlReader(root)
    for (const location of reader.imports.slice(0, IMPORTS_TOLD))
      report.warn('', `"${location.slice(0, 120)}" is imported, but it is not part of this file`)
    const declared: DeclaredOperation[] = []
    let index = 0
    for (const { where, what, read } of reader.read(options.baseUrl ?? '')) {
      if (typeof read === 'string') report.skip(index, where, what, read)
      else {
        const { method, origin, path, problems } = read
        report.take(index, where, describeRequest(method, origin + path), problems)
        declared.push({ ...read, index, where })
      }
      index++
    }
    if (index === 0) throw unreadable('wsdl', 'it has no service with a port, so nothing tells an address')
    for (const name of reader.missing.slice(0, IMPORTS_TOLD))
      report.warn('', `"${name.slice(0, 120)}" is not defined in this file`)
    return { importer: 'wsdl', exchanges: [], declared, report }
  },
}
