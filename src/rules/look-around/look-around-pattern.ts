import { compileProgram } from './program.ts'
import { type Marks, Search } from './search.ts'
import { PatternFault, readPattern } from './syntax.ts'

/** A pattern with look-around, ready to search. */
export interface LookAroundPattern {
  readonly groups: number
  test(text: string): boolean
  /** Matches from left to right that do not overlap. */
  matches(text: string): Iterable<Marks>
}

/**
 * Compiles a pattern that looks ahead or behind. Unlike the built-in engine it takes time linear in the text, whatever
 * the pattern (CWE-1333).
 *
 * @returns why it cannot be used, as a sentence, when it is beyond this engine
 */
export function compileLookAround(source: string): LookAroundPattern | string {
  try {
    const { syntax, groups } = readPattern(source)
    const program = compileProgram(syntax, false)
    return {
      groups,
      test: (text) => new Search(program, text, groups, source).next(0) !== null,
      matches: function* (text) {
        const search = new Search(program, text, groups, source)
        let from = 0
        for (let marks = search.next(from); marks !== null; marks = search.next(from)) {
          yield marks
          from = marks[1] === marks[0] ? marks[1]! + 1 : marks[1]!
        }
      },
    }
  } catch (error) {
    if (error instanceof PatternFault) return error.message
    throw error
  }
}
