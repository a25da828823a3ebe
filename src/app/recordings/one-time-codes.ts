import { takeCodeStep, unusedCode } from '../../crawler/index.ts'
import type { Store } from '../../store/index.ts'
import type { OneTimeCodes } from '../../testing/index.ts'

/** One-time codes that no process of a store has used before. */
export function oneTimeCodes(store: Store): OneTimeCodes {
  return (secret, signal) => unusedCode(secret, (digest, step) => takeCodeStep(store, digest, step), signal)
}
