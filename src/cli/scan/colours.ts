import { styleText } from 'node:util'
import type { Severity } from './scan-result.ts'

const COLOURS = { CRITICAL: 'magenta', HIGH: 'red', MEDIUM: 'yellow', LOW: 'cyan', INFO: 'gray' } as const

/** The line with its first word, the severity, in colour where the stream is a terminal that wants colours. */
export function colourSeverity(line: string, severity: Severity, stream: NodeJS.WritableStream): string {
  if (!line.startsWith(severity)) return line
  return styleText(['bold', COLOURS[severity]], severity, { stream }) + line.slice(severity.length)
}
