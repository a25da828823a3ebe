export type {
  DeclaredBody,
  DeclaredKey,
  DeclaredOperation,
  DeclaredParameter,
  DeclaredResponse,
  DeclaredSecurity,
  DeclaredType,
  ParameterPlace,
} from './declared-operation.ts'
export { decodeInput, MAX_INPUT_BYTES } from './decode-input.ts'
export { detectImporter, IMPORTERS, importerNamed, importText } from './detect-importer.ts'
export type { ImportReport, ImportSkip, ImportStop, ImportWarning } from './import-report.ts'
export { MAX_DETAILS, plainReport } from './import-report.ts'
export type {
  ImportedExchange,
  Importer,
  ImporterName,
  ImportOptions,
  ImportResult,
} from './importer.ts'
export { IMPORTER_NAMES } from './importer.ts'
export { importParsedHar } from './importers/har.ts'
export { openApiJsonText } from './openapi/document.ts'
export { requestOf } from './openapi/exchange.ts'
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
