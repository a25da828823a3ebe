/** What one check sends and takes. */
interface Cost {
  readonly requests: number
  readonly writes: number
  readonly seconds: number
  /** Roles that it acts as. */
  readonly roles: readonly string[]
}

interface Sum {
  checks: number
  requests: number
  writes: number
  seconds: number
  readonly roles: readonly string[]
}

/** What checks take that were not carried out, by test: the mean of the known ones of the test, or of all tests. */
export function meanCosts(known: Iterable<Cost & { readonly testId: string }>): (testId: string) => Cost {
  const ofAll: Sum[] = []
  const byTest = new Map<string, Sum>()
  for (const check of known) {
    const sums = [
      ofAll[0] ?? emptySum(check.roles),
      byTest.get(check.testId) ?? emptySum(check.roles),
    ] as const
    ofAll[0] = sums[0]
    byTest.set(check.testId, sums[1])
    const { requests, writes, seconds } = check
    for (const sum of sums) {
      sum.checks++
      sum.requests += requests
      sum.writes += writes
      sum.seconds += seconds
    }
  }
  return (testId) => meanOf(byTest.get(testId) ?? ofAll[0] ?? emptySum([]))
}

function emptySum(roles: readonly string[]): Sum {
  return { checks: 0, requests: 0, writes: 0, seconds: 0, roles }
}

function meanOf({ checks, requests, writes, seconds, roles }: Sum): Cost {
  const by = Math.max(1, checks)
  return {
    requests: Math.round(requests / by),
    writes: Math.round(writes / by),
    seconds: seconds / by,
    roles,
  }
}
