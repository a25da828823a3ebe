/**
 * Time, memory and answer of every importer on its broken files of 100 MB. On a busy machine read the CPU time.
 * Run: node test/bad-input/measure.ts
 */
import { detectImporter, importerNamed } from '../../src/traffic/index.ts'
import { LARGE_CASES } from './large-cases.ts'
import { outcomeFor, sentenceOf } from './outcome.ts'

let slowest = 0
let slowestCpu = 0
for (const { name, importer, make } of LARGE_CASES) {
  const bytes = make()
  const before = process.cpuUsage()
  const outcome = outcomeFor(importerNamed(importer)!, bytes)
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1000
  const start = performance.now()
  detectImporter(bytes.toString('utf8'))
  const detection = performance.now() - start
  slowest = Math.max(slowest, outcome.ms, detection)
  slowestCpu = Math.max(slowestCpu, cpu)
  const { report, failure } = outcome
  const told =
    failure !== undefined
      ? sentenceOf(failure)
      : `taken ${report?.taken}, skipped ${report?.skippedTotal}, warnings ${report?.warningsTotal}, ${report?.fatal === undefined ? 'read to its end' : `stopped at ${report.fatal.where}: ${report.fatal.reason}`}`
  const rss = Math.round(process.memoryUsage().rss / 1e6)
  console.log(
    `${importer.padEnd(16)} ${name.padEnd(38)} ${outcome.ms.toFixed(0).padStart(5)} ms  CPU ${cpu.toFixed(0).padStart(5)} ms  detect ${detection.toFixed(0).padStart(4)} ms  ${rss} MB  ${told.slice(0, 150)}`,
  )
}
console.log(`slowest ${slowest.toFixed(0)} ms, CPU ${slowestCpu.toFixed(0)} ms`)
