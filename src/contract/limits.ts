/** Bytes a body may have, by the `bodyLimit` of the operation. */
export const bodyLimits = {
  standard: 10 * 1024 * 1024,
  import: 100 * 1024 * 1024,
} as const

/** Levels of nesting a JSON body may have; deeper is refused with TOO_DEEP. */
export const maxBodyDepth = 100

/** Endpoints per page of importInBurp: what a limit of 0 or less, or above it, means. */
export const burpPageSize = 500

/** Endpoints per page of generateOpenApiFile. */
export const openApiPageSize = 100
