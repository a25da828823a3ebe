import { expect, test } from 'vitest'
import { detectImporter, importerNamed } from '../../src/traffic/index.ts'
import { LARGE_CASES, type LargeInput } from './large-cases.ts'
import { isTold, outcomeFor, sentenceOf } from './outcome.ts'

/**
 * `node test/bad-input/measure.ts` prints the times, all below two seconds for 100 MB on an idle machine; on a busy one
 * only a hang goes beyond this.
 */
const HANG_MS = 60_000

/** Importers tell what is wrong with large broken files of so many megabytes, and do not hang. */
export function largeInputCases(megabytes: number, cases: readonly LargeInput[] = LARGE_CASES): void {
  test.each(cases)(
    `${megabytes} MB, $importer: $name`,
    ({ importer, make }) => {
      const bytes = make(megabytes * 1_000_000)
      const outcome = outcomeFor(importerNamed(importer)!, bytes)
      expect(outcome.ms).toBeLessThan(HANG_MS)
      expect(isTold(outcome)).toBe(true)
      if (outcome.failure !== undefined) expect(sentenceOf(outcome.failure)).not.toBe('')
      const start = performance.now()
      detectImporter(bytes.toString('latin1'))
      expect(performance.now() - start).toBeLessThan(HANG_MS)
    },
    150_000,
  )
}
