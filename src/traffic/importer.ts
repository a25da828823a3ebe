import type { ImporterName } from '../contract/import-formats.ts'
import type { DataSource, Exchange } from '../http/index.ts'
import type { EpochSeconds } from '../kit/index.ts'
import type { FieldMapping } from './access-log/log-fields.ts'
import type { DeclaredOperation } from './declared-operation.ts'
import type { ImportReport } from './import-report.ts'
import type { ImportedFinding } from './imported-finding.ts'
import type { InputSketch } from './input-sketch.ts'

export interface ImportOptions {
  /** Name of the file as the user knows it; a hint for recognising the format, and the title of last resort. */
  readonly fileName?: string
  /** Event time of entries that carry none; now by default. */
  readonly at?: EpochSeconds
  /** Overrides the importer's own data source, for example BURP for a HAR that the proxy extension sends. */
  readonly source?: DataSource
  /** Values for `{{name}}` in Postman collections, over those of the collection itself. */
  readonly variables?: Readonly<Record<string, string>>
  /** Of access logs: what their fields are called, where no usual name fits. */
  readonly fields?: FieldMapping
  /** Origin for documents that name no server, for example `https://shop.test`; of GraphQL the URL of the endpoint. */
  readonly baseUrl?: string
}

/** One exchange with the place it came from, so that later steps can report on it in the file's own terms. */
export interface ImportedExchange {
  readonly exchange: Exchange
  /** Number of the entry in the file, from 0; several exchanges may share one (WebSocket messages, saved responses). */
  readonly index: number
  /** JSON pointer or line, for example `/log/entries/3 (line 120)`. */
  readonly where: string
  /** Method and URL without its query. */
  readonly what: string
}

export interface ImportResult {
  readonly importer: ImporterName
  /**
   * Read once, in order. Large formats are read while this is iterated, so memory stays bounded; iterating never
   * throws: what cannot be read ends in the report.
   */
  readonly exchanges: Iterable<ImportedExchange>
  /** What another scanner reported, read like {@link exchanges} and after them. */
  readonly findings?: Iterable<ImportedFinding>
  /** What the document declares (OpenAPI, Postman, Insomnia, GraphQL, AsyncAPI, WSDL, Protocol Buffers); empty for recordings. */
  readonly declared: readonly DeclaredOperation[]
  /** Complete once {@link exchanges} and {@link findings} have been read to their end. */
  readonly report: ImportReport
}

/**
 * One format: a row of `importFormatTable` in `contract/import-formats.ts`, a separate file under `importers/`, listed in
 * `detect-importer.ts`.
 */
export interface Importer {
  readonly name: ImporterName
  /** The format's name for people. */
  readonly label: string
  /** File name endings that suggest the format when the content alone does not decide. */
  readonly endings: readonly string[]
  /** True when the content looks like this format, judged only by its outermost structure. */
  detect(sketch: InputSketch): boolean
  /** Of formats that are not text: true when the bytes begin like this format. */
  detectBytes?(head: Buffer): boolean
  /**
   * Reads the input.
   * @throws Failure IMPORT_* when nothing of it can be read; what is wrong in parts ends in the report.
   */
  read(input: Uint8Array | string, options?: ImportOptions): ImportResult
}
