/** Why a node of a condition held or not, for people and for evidence. */
export interface Reason {
  /** The node as it is written: `response_code gte 200`. */
  readonly text: string
  readonly holds: boolean
  /** The value that decided, cut to 200 characters; absent for inner nodes. */
  readonly observed?: string
  /** Line of the template. */
  readonly line: number
  readonly children: readonly Reason[]
}

/** Whether a condition holds, and why. */
export interface Judgement {
  readonly holds: boolean
  readonly reasons: Reason
}

const MAX_OBSERVED = 200

/** A value as evidence: short, and on one line. */
export function observedText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > MAX_OBSERVED ? `${text.slice(0, MAX_OBSERVED)}…` : text
}
