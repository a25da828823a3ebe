import { nearestWord } from '../kit/index.ts'

/** `; did you mean …?` for the end of what refuses a word; empty when nothing known is like it. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known)
  return nearest === null ? '' : `; did you mean ${nearest}?`
}
