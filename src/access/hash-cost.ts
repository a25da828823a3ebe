/** Numbers of scrypt (RFC 7914): N = 2^logN, r and p. */
export interface HashCost {
  readonly logN: number
  readonly r: number
  readonly p: number
}

/**
 * 32 MiB and about 0.2 s a hash, one of the equal-strength settings of the OWASP password storage guidance. The numbers
 * are part of each hash, so they can grow later.
 */
export const HASH_COST: HashCost = { logN: 15, r: 8, p: 3 }

let cost = HASH_COST

/** Cost of new hashes. */
export function hashCost(): HashCost {
  return cost
}

/** Replaces the cost of new hashes (tests that only need somebody signed in); no setting does. */
export function setHashCost(other: HashCost): void {
  cost = other
}
