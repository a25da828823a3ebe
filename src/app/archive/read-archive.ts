import { Failure } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { ArchivePlace } from './archive-place.ts'
import { listArchives } from './archive-records.ts'
import { readArchived } from './write-archives.ts'

/**
 * Rows of an archived partition as JSON texts, file by file.
 *
 * @throws Failure NO_SUCH_ARCHIVE, ARCHIVE_FAILED
 */
export async function* readArchive(store: Store, place: ArchivePlace, id: number): AsyncGenerator<string[]> {
  const record = (await listArchives(store)).find((one) => one.id === id)
  if (record === undefined || record.state === 'DETACHED') throw new Failure('NO_SUCH_ARCHIVE')
  for (const part of record.parts) yield await readArchived(place, record, part)
}
