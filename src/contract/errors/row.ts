/** One row of the error table. */
export interface ErrorRow {
  /** HTTP status. */
  readonly status: number
  /** Sentence for `actionErrors`; `{name}` is replaced by the failure's detail of that name. */
  readonly message: string
  /** Second sentence of `actionErrors`, where the wording of the first is given and says too little. */
  readonly more?: string
  /** What the person who reads it can do. */
  readonly remedy: string
  /** Seconds for the Retry-After header where waiting helps; the detail `retryAfterSeconds` replaces it. */
  readonly retryAfterSeconds?: number
}

/** Checks a part of the table and keeps its keys. */
export function errorRows<Rows extends Record<string, ErrorRow>>(rows: Rows): Rows {
  return rows
}
