import { setImmediate } from 'node:timers/promises'
import { seeded } from '../bad-input/mutations.ts'
import { mutate } from './mutate.ts'
import type { Parser } from './parsers.ts'

/** An input that broke a parser. */
export interface Fault {
  readonly parser: string
  readonly input: Buffer
  /** What happened, with the seed that leads to it. */
  readonly reason: string
}

export interface FuzzOptions {
  readonly seed: number
  /** Processor time for each parser: a busy machine pauses the process. */
  readonly ms: number
  readonly maxInputs?: number
  readonly maxBytes?: number
  /** Called before each input is read: anyone who watches knows it when it is never done. */
  readonly onInput?: (parser: string, input: Buffer) => void
  /** Bytes in use after garbage was collected; growth is told where it is given. */
  readonly usedBytes?: () => number
}

/** Longest processor time that an input of a few kilobytes may take. */
const HANG_MS = 1000
/** What a parser keeps, such as compiled patterns, it has made in this part of its time. */
const WARM_UP = 0.25
/** Most samples of one parser. */
const MAX_SAMPLES = 2000

/** What one parser was given. */
interface FuzzResult {
  readonly inputs: number
  /** Different outcomes, each of which made its input a sample. */
  readonly outcomes: number
  /** Processor time of the slowest input. */
  readonly slowestMs: number
  /** Bytes that the parser holds more than after its warm-up; null where nobody measured. */
  readonly grownBytes: number | null
  readonly faults: readonly Fault[]
}

/** Reads changed samples until the time is over or an input breaks the parser. */
export async function fuzz(parser: Parser, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, ms, maxInputs = Number.POSITIVE_INFINITY, maxBytes = 16_384, onInput } = options
  const random = seeded(seed)
  const dice = (bound: number): number => Math.floor(random() * bound)
  const samples = [...parser.samples]
  const seen = new Set<string>()
  const faults: Fault[] = []
  const prototypeKeys = Object.getOwnPropertyNames(Object.prototype).length
  /** Samples are kept by the fuzzer, not by the parser. */
  const held = (): number | null =>
    options.usedBytes === undefined
      ? null
      : options.usedBytes() - samples.reduce((sum, { length }) => sum + length, 0)
  let warmed: number | null = null
  let inputs = 0
  let slowestMs = 0
  const start = cpuMs()
  for (let part = 0; part < 1 && faults.length === 0; ) {
    const input = mutate(samples, dice, maxBytes)
    onInput?.(parser.name, input)
    const found = runOnce(parser, input)
    inputs++
    // What a parser closes, such as a decompressor, is freed by the event loop.
    if (inputs % 256 === 0) await setImmediate()
    slowestMs = Math.max(slowestMs, found.ms)
    const isPolluted = Object.getOwnPropertyNames(Object.prototype).length !== prototypeKeys
    const reason = found.error ?? (isPolluted ? 'it changed the prototype of every object' : undefined)
    if (reason !== undefined)
      faults.push({ parser: parser.name, input, reason: `seed ${seed}, input ${inputs}: ${reason}` })
    else if (!seen.has(found.outcome) && samples.length < MAX_SAMPLES) {
      seen.add(copyOf(found.outcome))
      samples.push(aloneInMemory(input))
    }
    part = Math.max(inputs / maxInputs, (cpuMs() - start) / ms)
    if (warmed === null && part >= WARM_UP) warmed = held()
  }
  const grownBytes = warmed === null ? null : held()! - warmed
  return { inputs, outcomes: seen.size, slowestMs, grownBytes, faults }
}

/** The same bytes, which are no part of a larger block. */
function aloneInMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** The same text, which keeps no longer one alive that it was cut from. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}

/** Processor time of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function runOnce(parser: Parser, input: Buffer): { outcome: string; ms: number; error?: string } {
  const start = cpuMs()
  try {
    const outcome = parser.run(input)
    const ms = cpuMs() - start
    return ms > HANG_MS ? { outcome, ms, error: `it took ${Math.round(ms)} ms` } : { outcome, ms }
  } catch (error) {
    return { outcome: '', ms: 0, error: (error as Error).stack ?? String(error) }
  }
}
