import { readFileSync } from 'node:fs'
import { nowSeconds } from '../../kit/index.ts'
import {
  fingerprintOfKey,
  type RecordFormat,
  recordHtml,
  renderInThread,
  signFile,
  signJson,
  type TestRecord,
} from '../../reports/index.ts'
import type { App } from '../handler.ts'
import { gatherTestRecord, type RecordScope } from './gather-test-record.ts'
import { recordKey } from './record-key.ts'
import { recordContent } from './test-record-pdf.ts'

/** A signed record as a file. */
interface SignedRecord {
  readonly record: TestRecord
  readonly fileName: string
  readonly content: Buffer
  readonly publicKey: string
  readonly fingerprint: string
}

/** Version of the program, as its package tells. */
function vigilVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** Gathers a record and signs it. */
export async function makeTestRecord(
  app: Pick<App, 'store' | 'sealer' | 'catalogue'>,
  scope: Omit<RecordScope, 'vigilVersion'>,
  format: RecordFormat,
): Promise<SignedRecord> {
  const key = await recordKey(app.store, app.sealer)
  const record = await gatherTestRecord(app.store, { ...scope, vigilVersion: vigilVersion() })
  const fingerprint = fingerprintOfKey(key.publicKey)
  const content = await (async (): Promise<Buffer> => {
    if (format === 'JSON') return signJson(record, key)
    if (format === 'HTML') return signFile(Buffer.from(recordHtml(record, fingerprint)), 'HTML', key)
    const told = await recordContent(record, fingerprint, { ...app, madeAt: nowSeconds() })
    return signFile(await renderInThread(told, new AbortController().signal), 'PDF', key)
  })()
  const period = `${record.periodFrom.slice(0, 10)}-to-${record.periodTo.slice(0, 10)}`
  const fileName = `vigil-test-record-${period}.${format.toLowerCase()}`
  return { record, fileName, content, publicKey: key.publicKey, fingerprint }
}
