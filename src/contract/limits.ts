/** Bytes a body may have, by the `bodyLimit` of the operation. */
export const bodyLimits = {
  standard: 10 * 1024 * 1024,
  import: 100 * 1024 * 1024,
} as const

/** Levels of nesting a JSON body may have; deeper is refused with TOO_DEEP. */
export const maxBodyDepth = 100

/** Items of a list in a request whose entry states no other limit. */
export const requestListItems = 10_000

/** Endpoints per page of importInBurp: what a limit of 0 or less, or above it, means. */
export const burpPageSize = 500

/** Endpoints per page of generateOpenApiFile. */
export const openApiPageSize = 100

/** Seconds a crawl may take. */
export const crawlingSeconds = { least: 600, most: 345_600 } as const

/** Seconds without a heartbeat after which a crawler module counts as gone. */
export const crawlerModuleSilence = 300

/** Items of one batch of a crawler module: URLs, messages, steps or pieces of work. */
export const crawlerBatchItems = 1000

/** Facts of one exchange between processes of a crawl. */
export const learnedFactItems = 2000

/** Characters of a picture of a crawl in base64. */
export const crawlerFrameLength = 1024 * 1024

/** Characters of one captured message of a crawler. */
export const crawlerMessageLength = 5 * 1024 * 1024

/** Longest time budget of a test run in seconds, and what a budget of 0 or less means. */
export const runSeconds = { most: 21_600, byDefault: 1800 } as const

/** Parallel requests of a test run: the most, and what 0 or less means. */
export const runConcurrency = { most: 500, byDefault: 10 } as const

/** Rows per page of a list: what a limit of 0 or less means, and the most. */
export const pageLimits = {
  testResults: { byDefault: 150, most: 1000 },
  skippedReasons: { byDefault: 200, most: 200 },
  testRuns: { byDefault: 50, most: 200 },
  issues: { byDefault: 20, most: 20_000 },
  issueGroups: { byDefault: 20, most: 200 },
  tests: { byDefault: 50, most: 1000 },
  events: { byDefault: 50, most: 1000 },
  threats: { byDefault: 50, most: 200 },
  collectionIssues: { byDefault: 100, most: 10_000 },
  testRunLogs: { byDefault: 200, most: 1000 },
  crawlLogs: { byDefault: 200, most: 1000 },
  crawlUrls: { byDefault: 100, most: 1000 },
} as const

/** Characters of the note on an issue. */
export const issueNoteLength = 10_000

/** Headers that may name the actors of threats. */
export const actorHeaders = 20

/** Days for which malicious events may be kept. */
export const eventDays = { least: 30, most: 90, byDefault: 60 } as const

/** Suppressions that people may make, and those of all origins that are listed. */
export const suppressionLimits = { most: 500, listed: 1_000 } as const

/** Open streams of changes: of one account, and of all accounts of a process. */
export const changeStreams = { ofAccount: 20, ofProcess: 500 } as const

/** Seconds between two lines of a stream of changes on which nothing changes. */
export const changeHeartbeatSeconds = 10
