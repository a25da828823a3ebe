import { analyseScript } from './analyse-script.ts'
import { noFindings, type TextFindings } from './found-in-text.ts'
import { scanCalls } from './scan-calls.ts'
import { scanHtml } from './scan-html.ts'
import { scanScript } from './scan-script.ts'

/** A text to read, and what it is. */
export interface AnalysisTask {
  /** `calls`: a script, or a page with some, whose calls are searched for by patterns. */
  readonly kind: 'script' | 'html' | 'text' | 'calls'
  readonly text: string
  /** Searches the text by patterns, because parsing it took too much memory. */
  readonly byPatterns?: boolean
}

/** Reads one text. */
export function analyse(task: AnalysisTask): TextFindings {
  if (task.kind === 'calls') return { ...noFindings, endpoints: scanCalls(task.text) }
  if (task.byPatterns === true) return scanScript(task.text)
  if (task.kind === 'html') return scanHtml(task.text)
  return task.kind === 'script' ? analyseScript(task.text) : scanScript(task.text)
}
