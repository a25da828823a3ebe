import { Failure } from '../../../kit/index.ts'
import type { RunView } from '../../../testing/index.ts'
import type { Caller } from '../../handler.ts'

/**
 * Checks that the caller may change what a run executes. A run acts with the rights of the person who started it: with
 * another target or other tests, its credentials would go wherever somebody with fewer rights likes.
 *
 * @throws Failure RUN_OF_ANOTHER for callers restricted to some collections, of runs that they did not start
 */
export function requireOwnRun({ collectionIds, login }: Caller, { userLogin }: RunView): void {
  if (collectionIds !== null && userLogin !== login) throw new Failure('RUN_OF_ANOTHER', {})
}
