import type { Random } from './random.ts'

/** How look-alikes of a type are made from its true values. */
export type LookAlikeKind = 'check' | 'token' | 'name'

/** True values of one type, and under which keys they are to be found. */
export interface Generator {
  readonly truth: (random: Random) => string
  /** Keys that name the type. */
  readonly keys: readonly string[]
  /** The value tells by itself, so half of the true values stand under keys that say nothing. */
  readonly alone?: boolean
  readonly kind: LookAlikeKind
  /** Place of the check character when it is not the last one. */
  readonly checkAt?: number
  /** Values of the same look that are none, for types without a check character. */
  readonly lookAlike?: (random: Random) => string
}

export type Generators = Readonly<Record<string, Generator>>

/** Weighted sum of the digits of a text. */
export function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0)
}

/** The digit that makes `digits` followed by it pass the Luhn check. */
export function luhnDigit(digits: string): string {
  let sum = 0
  for (let i = digits.length - 1, double = true; i >= 0; i--, double = !double) {
    const product = Number(digits[i]) * (double ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return String((10 - (sum % 10)) % 10)
}

/** Draws until the maker gives a value (some check digits do not exist for some numbers). */
export function until(make: () => string | undefined): string {
  for (let tries = 0; tries < 10_000; tries++) {
    const value = make()
    if (value !== undefined) return value
  }
  throw new Error('no value was found in ten thousand draws')
}
