/** What a search may spend; shared by all searches of one message. */
export interface SearchBudget {
  /** True once the time is over; searches that began do not tell anything then. */
  readonly isSpent: boolean
  /** Looks at the clock. */
  check(): void
}

/** No match. */
export const NOT_FOUND = -1
