import type { ImportRow, ImportSummary } from '../../../contract/browser.ts'
import type { TagTone } from '../../components/tag.tsx'

/** States of an import in words. */
export const statusTags: Record<ImportSummary['status'], { word: string; tone: TagTone }> = {
  IN_PROGRESS: { word: 'Running', tone: 'blue' },
  SUCCEEDED: { word: 'Done', tone: 'green' },
  FAILED: { word: 'Failed', tone: 'red' },
}

/** Outcomes of one item in words. */
export const outcomeTags: Record<ImportRow['outcome'], { word: string; tone: TagTone }> = {
  TAKEN: { word: 'Taken', tone: 'green' },
  TAKEN_WITH_WARNINGS: { word: 'Taken, with a remark', tone: 'orange' },
  SKIPPED: { word: 'Skipped', tone: 'gray' },
  KNOWN_BEFORE: { word: 'Known before', tone: 'blue' },
}
