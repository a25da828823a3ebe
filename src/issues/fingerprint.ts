import { createHash } from 'node:crypto'

/** What found an issue. */
export type IssueSource = 'AUTOMATED_TESTING' | 'RUNTIME' | 'TEST_EDITOR' | 'IMPORT'

/** What names an issue: one test, or rule of another scanner, on one endpoint, over all runs. */
export interface IssueKey {
  readonly testId: string
  readonly source: IssueSource
  readonly collectionId: number
  readonly method: string
  readonly url: string
}

/**
 * The fingerprint of an issue: SHA-256 in hex over its key. The parts are joined as JSON, so that no two keys run
 * together. Case counts everywhere.
 */
export function fingerprintOf(key: IssueKey): string {
  const parts = [key.testId, key.source, key.collectionId, key.method, key.url]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
