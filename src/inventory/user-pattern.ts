import { Failure } from '../kit/index.ts'
import { shortPattern } from '../kit/short-pattern.ts'

/**
 * Compiles a pattern of a user for a search without regard to case, on a linear-time engine.
 *
 * @returns undefined for a blank pattern, which filters nothing
 * @throws Failure INVALID_REGEX
 */
export function userPattern(pattern: string | null): ((text: string) => boolean) | undefined {
  if (pattern === null || pattern.trim() === '') return undefined
  try {
    return shortPattern(pattern, { ignoresCase: true }).test
  } catch (error) {
    throw new Failure('INVALID_REGEX', {}, { cause: error })
  }
}
