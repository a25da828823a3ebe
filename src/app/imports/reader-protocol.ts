import type { ImporterName, OperationName } from '../../contract/index.ts'
import type { DataSource } from '../../http/index.ts'
import type {
  DeclaredOperation,
  ImportedExchange,
  ImportedFinding,
  ImportReport,
} from '../../traffic/index.ts'

/** What is to be read: the body of an operation that carries a file, or the text of a file kept earlier. */
export type ReaderSource = (
  | { kind: 'body'; operation: OperationName; body: Uint8Array }
  | { kind: 'text'; text: string }
) & {
  /** Format when it is known. */
  importer?: ImporterName
  /** Overrides the importer's own data source. */
  dataSource?: DataSource
  /** Where the file was found, for what it says relative to itself. */
  baseUrl?: string
}

/** A file that was opened, with what it declares. */
export interface OpenedFile extends OpenedHead {
  declared: readonly DeclaredOperation[]
}

/** What is said of a file at once, with the other fields of its request; what it declares comes in slices. */
export interface OpenedHead {
  input: Record<string, unknown>
  importer: ImporterName
  title: string
  /** Text of the document, for formats whose document is kept. */
  document: string | null
  /** The same as JSON text when it is YAML; null when it is JSON already. */
  documentJson: string | null
}

/** A part of the operations that the open file declares. */
export interface DeclaredSlice {
  operations: readonly DeclaredOperation[]
  isLast: boolean
}

/** The next entries of the open file; `report` comes with the last. */
export interface Slice {
  items: ImportedExchange[]
  findings: ImportedFinding[]
  report: ImportReport | null
}
