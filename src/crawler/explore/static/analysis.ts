import { analyseScript } from './analyse-script.ts'
import { noFindings, type TextFindings } from './found-in-text.ts'
import { scanCalls } from './scan-calls.ts'
import { inlineScripts, scanHtml } from './scan-html.ts'
import { scanScript } from './scan-script.ts'

/** A text to read, and what it is. */
export interface AnalysisTask {
  /** `calls`: a script, and `page calls`: those in a page, whose calls are searched for by patterns. */
  readonly kind: 'script' | 'html' | 'text' | 'calls' | 'page calls'
  readonly text: string
  /** Searches the text by patterns, because parsing it took too much memory. */
  readonly byPatterns?: boolean
}

/** Reads one text. */
export function analyse(task: AnalysisTask): TextFindings {
  if (task.kind === 'calls') return { ...noFindings, endpoints: scanCalls(task.text) }
  // Text of a page may speak of calls, too, and anybody may have written it.
  if (task.kind === 'page calls')
    return { ...noFindings, endpoints: [...inlineScripts(task.text)].flatMap((script) => scanCalls(script)) }
  if (task.byPatterns === true) return scanScript(task.text)
  if (task.kind === 'html') return scanHtml(task.text)
  return task.kind === 'script' ? analyseScript(task.text) : scanScript(task.text)
}
