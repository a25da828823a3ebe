import { analyseScript, withCalls } from './analyse-script.ts'
import type { TextFindings } from './found-in-text.ts'
import { scanCalls } from './scan-calls.ts'
import { scanHtml } from './scan-html.ts'
import { scanScript } from './scan-script.ts'

/** A text to read, and what it is. */
export interface AnalysisTask {
  readonly kind: 'script' | 'html' | 'text'
  readonly text: string
  /** Searches the text by patterns, because parsing it took too much memory. */
  readonly byPatterns?: boolean
}

/** Reads one text. */
export function analyse(task: AnalysisTask): TextFindings {
  if (task.byPatterns === true) return withCalls(scanScript(task.text), scanCalls(task.text))
  if (task.kind === 'html') return scanHtml(task.text)
  return task.kind === 'script' ? analyseScript(task.text) : scanScript(task.text)
}
