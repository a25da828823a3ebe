import { nearestWord } from '../../kit/index.ts'
import type { Place, Problem } from '../../rules/index.ts'

/** Collects what is wrong with a template. */
export class Report {
  readonly problems: Problem[] = []

  error(message: string, place: Place, nearest: string | null = null): void {
    this.problems.push({ severity: 'error', message, place, nearest })
  }

  warn(message: string, place: Place, nearest: string | null = null): void {
    this.problems.push({ severity: 'warning', message, place, nearest })
  }

  /** An error about a word that is not allowed; the nearest of them is named. */
  unknownWord(message: string, word: string, legal: readonly string[], place: Place): void {
    this.error(message, place, nearestWord(word, legal))
  }

  get hasErrors(): boolean {
    return this.problems.some(({ severity }) => severity === 'error')
  }
}
