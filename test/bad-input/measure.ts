/**
 * Time, memory and answer of every importer on its broken files of 100 MB.
 * Run: node test/bad-input/measure.ts
 */
import { detectImporter, importerNamed } from '../../src/traffic/index.ts'
import { LARGE_CASES } from './large-cases.ts'
import { outcomeFor, sentenceOf } from './outcome.ts'

let slowest = 0
for (const { name, importer, make } of LARGE_CASES) {
  const bytes = make()
  const outcome = outcomeFor(importerNamed(importer)!, bytes)
  const start = performance.now()
  detectImporter(bytes.toString('utf8'))
  const detection = performance.now() - start
  slowest = Math.max(slowest, outcome.ms, detection)
  const { report, failure } = outcome
  const told =
    failure !== undefined
      ? sentenceOf(failure)
      : `taken ${report?.taken}, skipped ${report?.skippedTotal}, warnings ${report?.warningsTotal}, ${report?.fatal === undefined ? 'read to its end' : `stopped at ${report.fatal.where}: ${report.fatal.reason}`}`
  const rss = Math.round(process.memoryUsage().rss / 1e6)
  console.log(
    `${importer.padEnd(16)} ${name.padEnd(38)} ${outcome.ms.toFixed(0).padStart(5)} ms  detect ${detection.toFixed(0).padStart(4)} ms  ${rss} MB  ${told.slice(0, 150)}`,
  )
}
console.log(`slowest ${slowest.toFixed(0)} ms`)
