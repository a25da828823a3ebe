/** Minutes a run may take, as startTest states them in seconds. */
export const runMinutes = { byDefault: 30, most: 360 } as const
/** Requests under way at once, as startTest states them. */
export const runConcurrency = { byDefault: 10, most: 500 } as const
