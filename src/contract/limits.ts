/** Bytes a body may have, by the `bodyLimit` of the operation. */
export const bodyLimits = {
  standard: 10 * 1024 * 1024,
  import: 100 * 1024 * 1024,
} as const

/** Levels of nesting a JSON body may have; deeper is refused with TOO_DEEP. */
export const maxBodyDepth = 100

/** Page sizes: what a limit of 0 or less means, and the most that is given. */
export const pageLimits = {
  importInBurp: { whenUnset: 500, most: 500 },
  endpoints: { whenUnset: 50, most: 500 },
  reportRows: { whenUnset: 100, most: 1000 },
  generateOpenApiFile: { whenUnset: 100, most: 100 },
  batchMessages: { whenUnset: 10_000, most: 10_000 },
} as const
