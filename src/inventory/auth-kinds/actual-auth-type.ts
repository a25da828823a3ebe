/** What was seen of one combination of authentication kinds at an endpoint, over the last 14 days. */
export interface AuthCombination {
  /** Sorted kinds; [] for anonymous calls. */
  readonly kinds: readonly string[]
  /** Calls answered 2xx or 304. */
  readonly succeeded: number
  /** Calls answered 401 or 403. */
  readonly refused: number
  /** Calls with any other outcome. */
  readonly other: number
  /** Distinct clients that sent it; an estimate will do. */
  readonly clients: number
  /**
   * Anonymous combination only: whether its successful answers look like those of authenticated callers (not empty,
   * no error, equal key set). Unset while that is not known; it then counts as alike.
   */
  readonly answersAlike?: boolean
}

interface ActualAuthType {
  /** The list for the wire; [] while only refused anonymous calls are known. */
  readonly kinds: readonly string[]
  readonly state: 'AUTHENTICATED' | 'UNAUTHENTICATED' | 'MIXED' | 'UNKNOWN'
  /** Successful anonymous calls, for the sentence "anonymous seen n times". */
  readonly anonymousCount: number
  /** OBSERVED when anonymous or refused calls prove that the server looks at the credential. */
  readonly enforcement: 'OBSERVED' | 'NOT_PROVEN'
}

const SHARE_THAT_COUNTS = 0.05
const CLIENTS_THAT_COUNT = 5
const ANONYMOUS_CLIENTS = 2
const ANONYMOUS_CALLS = 3
const UNAUTHENTICATED: readonly string[] = ['UNAUTHENTICATED']

/**
 * The authentication that really applies. A combination counts from 5 % of the successful calls or five clients on, so
 * that one odd call does not change the record. UNAUTHENTICATED needs anonymous success from two clients or three times,
 * with answers like those of authenticated callers; below that the state is MIXED and the wire keeps the kinds.
 */
export function actualAuthType(combinations: readonly AuthCombination[]): ActualAuthType {
  const anonymous = combinations.filter((combination) => combination.kinds.length === 0)
  const authenticated = combinations.filter((combination) => combination.kinds.length > 0)
  const anonymousCount = sum(anonymous, (combination) => combination.succeeded)
  const enforcement = anonymous.some((combination) => combination.refused > 0) ? 'OBSERVED' : 'NOT_PROVEN'
  const kinds = kindsThatCount(
    authenticated,
    sum(combinations, (combination) => combination.succeeded),
  )
  if (anonymousCount === 0) {
    return { kinds, state: kinds.length > 0 ? 'AUTHENTICATED' : 'UNKNOWN', anonymousCount, enforcement }
  }
  const nobodyAuthenticates = sum(authenticated, (combination) => combination.succeeded) === 0
  if (nobodyAuthenticates || anonymous.some(isAnonymousAccess)) {
    return { kinds: UNAUTHENTICATED, state: 'UNAUTHENTICATED', anonymousCount, enforcement: 'NOT_PROVEN' }
  }
  return { kinds, state: 'MIXED', anonymousCount, enforcement }
}

function isAnonymousAccess(combination: AuthCombination): boolean {
  if (combination.answersAlike === false) return false
  return combination.clients >= ANONYMOUS_CLIENTS
    ? combination.succeeded > 0
    : combination.succeeded >= ANONYMOUS_CALLS
}

/** Union of the combinations over the threshold; of all of them while none is (no call succeeded yet). */
function kindsThatCount(authenticated: readonly AuthCombination[], succeeded: number): readonly string[] {
  const frequent = authenticated.filter(
    (combination) =>
      (combination.succeeded > 0 && combination.succeeded >= succeeded * SHARE_THAT_COUNTS) ||
      combination.clients >= CLIENTS_THAT_COUNT,
  )
  const counted = frequent.length > 0 ? frequent : authenticated
  return [...new Set(counted.flatMap((combination) => combination.kinds))].sort()
}

function sum(
  combinations: readonly AuthCombination[],
  read: (combination: AuthCombination) => number,
): number {
  return combinations.reduce((total, combination) => total + read(combination), 0)
}
