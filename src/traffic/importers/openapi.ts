import type { DeclaredOperation } from '../declared-operation.ts'
import { decodeInput } from '../decode-input.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'
import { parseOpenApi } from '../openapi/document.ts'
import { exchangeOf } from '../openapi/exchange.ts'
import { readOperations } from '../openapi/operations.ts'

/**
 * API descriptions: OpenAPI 3.0 and 3.1, Swagger 2, as JSON or YAML. A description is a declaration, no traffic: the
 * operations are in `declared`, and `exchanges` shows each once, built from examples and schemas. The described
 * server is never called, and references outside the document are never loaded.
 */
export const openApiImporter: Importer = {
  name: 'openapi',
  label: 'OpenAPI 3.0, 3.1 or Swagger 2 (JSON or YAML)',
  endings: ['.yaml', '.yml'],
  detect: (sketch) => {
    if (sketch.shape === 'json')
      return !sketch.isArray && (sketch.keys.has('openapi') || sketch.keys.has('swagger'))
    if (sketch.shape !== 'text') return false
    // In a document with sorted keys the version stands far down, behind the components.
    return (
      /^["']?(?:openapi|swagger)["']?[ \t]*:/m.test(sketch.head) || /\n(?:openapi|swagger):/.test(sketch.text)
    )
  },
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const document = parseOpenApi(text)
    const report = new ImportReportWriter(document.title || (options.fileName ?? 'OpenAPI'))
    for (const { where, reason } of warnings) report.warn(where, reason)
    for (const reason of document.warnings) report.warn('', reason)
    const declared = readOperations(document, options.baseUrl ?? '', report)
    return { importer: 'openapi', exchanges: exchangesOf(declared, options), declared, report }
  },
}

function* exchangesOf(
  declared: readonly DeclaredOperation[],
  options: ImportOptions,
): Generator<ImportedExchange> {
  for (const operation of declared) {
    const { index, where, method, origin, path } = operation
    yield {
      exchange: exchangeOf(operation, options),
      index,
      where,
      what: describeRequest(method, origin + path),
    }
  }
}
