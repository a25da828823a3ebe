import type { Client } from '../../contract/index.ts'

/** What is written, and how. */
export interface ExportRequest {
  readonly client: Client
  readonly collectionId: number
  /** Name of the collection. */
  readonly name: string
  /** Secrets and values of sensitive data types are shown. */
  readonly isUnmasked: boolean
  /** Tells the person something about what is written. */
  note(line: string): void
}

/** Writes a collection in one format. */
export type Exporter = (request: ExportRequest) => Promise<string>
