import type { ImportSummary } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import type { Caller } from '../../handler.ts'
import { visibleImport } from './import-view.ts'

/**
 * An upload of the given format that was read to its end.
 *
 * @throws Failure `unknown`, UPLOAD_NOT_READY, UPLOAD_FAILED
 */
export async function readyUpload(
  store: Store,
  caller: Caller,
  id: string,
  format: ImportSummary['format'],
  unknown: string,
): Promise<ImportSummary> {
  const upload = await visibleImport(store, caller, id, unknown)
  if (upload.format !== format) throw new Failure(unknown, {})
  if (upload.status === 'IN_PROGRESS') throw new Failure('UPLOAD_NOT_READY', {})
  if (upload.status === 'FAILED') throw new Failure('UPLOAD_FAILED', { reason: upload.fatalError ?? '' })
  return upload
}
