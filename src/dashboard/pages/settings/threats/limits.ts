/** Headers that may name actors, as modifyThreatConfiguration takes them. */
export const mostHeaders = 20

/** Days for which events may be kept, as modifyThreatConfiguration takes them. */
export const keptDays = { least: 30, most: 90 } as const

/** Suppressions that people may make, as addThreatSuppression takes them. */
export const mostSuppressions = 500

/** Suppressions that fetchThreatSuppressions lists at most. */
export const mostListed = 1_000
