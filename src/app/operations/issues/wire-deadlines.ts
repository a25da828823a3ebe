import type { Deadlines } from '../../../issues/index.ts'

/** Deadlines on the wire: null where a severity has none. */
export function wireDeadlines(deadlines: Deadlines): {
  CRITICAL: number | null
  HIGH: number | null
  MEDIUM: number | null
  LOW: number | null
} {
  const { CRITICAL = null, HIGH = null, MEDIUM = null, LOW = null } = deadlines
  return { CRITICAL, HIGH, MEDIUM, LOW }
}
