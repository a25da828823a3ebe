import { statSync } from 'node:fs'
import { importFormatTable } from '../../contract/import-formats.ts'
import type { Client, ImportSummary } from '../../contract/index.ts'
import { isAddress, readInput, withoutSecrets } from '../read-input.ts'
import { ScanFailure } from './scan-failure.ts'
import type { ScanOptions } from './scan-options.ts'
import type { ScanInput } from './scan-result.ts'

const POLL_MS = 300
const REASONS_SHOWN = 5

/** The collection that the files went into. */
export interface ImportedFiles {
  readonly collectionId: number
  readonly inputs: readonly ScanInput[]
}

/**
 * Imports every file into one collection.
 *
 * @param name of the collection
 * @param warn called with what was skipped
 * @throws ScanFailure for a file that is too large or of which nothing was taken; CallError
 */
export async function importFiles(
  client: Client,
  { files, target, settings }: ScanOptions,
  name: string,
  warn: (line: string) => void,
): Promise<ImportedFiles> {
  const inputs: ScanInput[] = []
  let collectionId = 0
  for (const given of files) {
    const file = withoutSecrets(given)
    if (!isAddress(given) && statSync(given).size > settings.settings.maxImportBytes)
      throw new ScanFailure(`${file} is larger than VIGIL_MAX_IMPORT_BYTES allows`)
    const { bytes, fileName } = await readInput(given, settings.settings)
    const text = new TextDecoder().decode(bytes)
    const isText = Buffer.from(text).equals(bytes)
    const imported = await client.op.importTraffic({
      content: isText ? text : bytes.toString('base64'),
      contentEncoding: isText ? 'text' : 'base64',
      fileName,
      baseUrl: target.href,
      apiCollectionName: name,
    })
    const report = await ended(client, imported.report)
    collectionId = imported.apiCollectionId
    const { taken, skipped, duplicates, format } = report
    if (importFormatTable[format].kind === 'FINDINGS')
      throw new ScanFailure(`${file} holds the results of another scanner: vigil import makes issues of them`)
    if (taken + duplicates === 0) throw await nothingTaken(client, file, report)
    if (skipped > 0) warn(`${file}: ${skipped} of ${report.total} entries were skipped`)
    for (const warning of report.warnings) warn(`${file}: ${warning}`)
    inputs.push({ file, format, taken: taken + duplicates, skipped })
  }
  return { collectionId, inputs }
}

/** The report once a large file was read to its end. */
async function ended(client: Client, first: ImportSummary): Promise<ImportSummary> {
  let report = first
  while (report.status === 'IN_PROGRESS') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    report = (await client.op.fetchImportReport({ uploadId: report.uploadId, limit: 1 })).report
  }
  return report
}

async function nothingTaken(client: Client, file: string, report: ImportSummary): Promise<ScanFailure> {
  const { rows } = await client.op.fetchImportReport({
    uploadId: report.uploadId,
    outcomes: ['SKIPPED'],
    limit: REASONS_SHOWN,
  })
  const reasons = rows.map(({ place, reasons }) => `${place}: ${reasons.join(', ')}`)
  const why = [report.fatalError ?? '', ...report.warnings, ...reasons].filter((text) => text !== '')
  return new ScanFailure(`nothing was taken from ${file}: ${why.join('; ') || 'it holds no requests'}`)
}
