import { useEffect, useState } from 'react'
import { type FindRemedy, loadRemedies } from './describe-error.ts'

/**
 * The remedies of error codes, or null until they are loaded.
 *
 * @param isWanted whether there is a failure to describe; nothing is loaded without one
 */
export function useRemedies(isWanted = true): FindRemedy | null {
  const [findRemedy, setFindRemedy] = useState<FindRemedy | null>(null)
  useEffect(() => {
    if (isWanted) void loadRemedies().then((find) => setFindRemedy(() => find))
  }, [isWanted])
  return findRemedy
}
