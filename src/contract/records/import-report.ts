import type { Static } from 'typebox'
import { importFormats } from '../import-formats.ts'
import { count, epochSeconds, hexId, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { importOutcomes, uploadStatuses } from '../vocabulary.ts'

/** An import with its counts; `total` = taken + skipped + duplicates once it ended. */
export const importSummary = model('ImportSummary', 'An import with its counts.', {
  uploadId: hexId(),
  format: oneOf(importFormats),
  fileName: nullable(text()),
  title: nullable(text({ description: 'Title found in the file.' })),
  apiCollectionId: nullable(
    integer({ description: 'The collection it went into; null before, or once deleted.' }),
  ),
  username: text({ description: 'E-mail address of the user.' }),
  status: oneOf(uploadStatuses),
  total: count('Items in the file.'),
  taken: count('Items taken, with and without warnings.'),
  skipped: count('Items refused, each with its reason in the report.'),
  duplicates: count('Items that were taken before.'),
  warnings: list(text(), { description: 'About the file as a whole.' }),
  fatalError: nullable(text({ description: 'Why nothing could be read; only when FAILED.' })),
  createdTs: epochSeconds(),
  endedTs: epochSeconds('0 while it runs.'),
})

export const importRow = model('ImportRow', 'What became of one item of an import.', {
  position: integer({ description: 'Number of the item, from 0.' }),
  outcome: oneOf(importOutcomes),
  place: text({ description: 'Where it stands: line, entry or path in the file.' }),
  what: text({ description: 'Method and URL, or what could be read of it.' }),
  reasons: list(text(), { description: 'Why it was skipped, or what is wrong with it.' }),
})

export type ImportSummary = Static<typeof importSummary>
export type ImportRow = Static<typeof importRow>
