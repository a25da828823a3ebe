import assert from 'node:assert/strict'
import { errorRow } from '../../src/contract/index.ts'
import type { Exchange } from '../../src/http/index.ts'
import { parseSampleMessage, writeSampleMessage } from '../../src/http/index.ts'
import { Failure } from '../../src/kit/index.ts'
import type { Importer, ImportReport, ImportResult } from '../../src/traffic/index.ts'
import { plainReport } from '../../src/traffic/index.ts'

/** What became of one input. */
export interface Outcome {
  readonly failure?: Failure
  readonly report?: ImportReport
  readonly exchanges: number
  readonly declared: number
  readonly findings: number
  readonly ms: number
}

/** Reads an input to its end. Anything thrown that is no Failure passes through. */
export function outcomeOf(read: () => ImportResult): Outcome {
  const start = performance.now()
  try {
    const result = read()
    let exchanges = 0
    for (const { exchange, where } of result.exchanges) {
      exchanges++
      if (where === '') throw new Error('an exchange without place')
      if (exchanges <= 100) expectRoundTrip(exchange)
    }
    const findings = [...(result.findings ?? [])]
    for (const { exchange } of findings.slice(0, 100)) if (exchange !== null) expectRoundTrip(exchange)
    const ms = performance.now() - start
    const { declared, report } = result
    return {
      report: plainReport(report),
      ...{ exchanges, declared: declared.length, findings: findings.length, ms },
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { failure: error, exchanges: 0, declared: 0, findings: 0, ms: performance.now() - start }
  }
}

/** Without undefined fields and prototypes, for comparing. */
function plain(exchange: Exchange): unknown {
  return JSON.parse(JSON.stringify(exchange))
}

/** How JSON writes a NUL or half a character; a text may hold a backslash followed by the same letters. */
const HARMFUL = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Whatever comes in must be writable as a sample message and come back the same: no NUL, nothing over a limit. */
function expectRoundTrip(exchange: Exchange): void {
  const text = writeSampleMessage(exchange)
  if (HARMFUL.test(JSON.stringify(exchange))) throw new Error(`a NUL or half a character in ${text}`)
  assert.deepEqual(plain(parseSampleMessage(text)), plain(exchange))
}

/** The outcome of one importer on one input. */
export function outcomeFor(importer: Importer, input: Uint8Array | string): Outcome {
  return outcomeOf(() => importer.read(input, { at: 1_769_850_000 }))
}

/** The sentence that a person would read about a failure. */
export function sentenceOf(failure: Failure): string {
  const template = errorRow(failure.code)?.message ?? ''
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => String(failure.details[name] ?? '?'))
}

/** True when something of the input was told to be wrong. */
export function isTold({ failure, report }: Outcome): boolean {
  return (
    failure !== undefined ||
    (report !== undefined &&
      (report.skippedTotal > 0 || report.warningsTotal > 0 || report.fatal !== undefined))
  )
}
