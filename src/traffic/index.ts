export { readFieldMapping } from './access-log/log-fields.ts'
export type { DeclaredOperation } from './declared-operation.ts'
export { detectImporter, IMPORTERS, importerNamed, importText } from './detect-importer.ts'
export type { ImportReport } from './import-report.ts'
export { plainReport } from './import-report.ts'
export type { ImportedFinding } from './imported-finding.ts'
export type { ImportedExchange, Importer, ImportResult } from './importer.ts'
export { openApiJsonText } from './openapi/document.ts'
export { requestOf } from './openapi/exchange.ts'
export { jsonSpans } from './otlp/json-spans.ts'
export { protobufSpans } from './otlp/protobuf-spans.ts'
export { readTraces, type TraceEncoding } from './otlp/read-traces.ts'
export { spanMessage } from './otlp/span-message.ts'
export type { TraceBatches } from './otlp/trace-batches.ts'
export { readPostmanEnvironment, withEnvironment } from './postman/environment.ts'
export { openStream, requireStreamClient } from './stream/open-stream.ts'
export type {
  DeadLetter,
  StreamBatch,
  StreamConsumer,
  StreamPlace,
  StreamRecord,
} from './stream/port.ts'
export { recordContent } from './stream/record-messages.ts'
