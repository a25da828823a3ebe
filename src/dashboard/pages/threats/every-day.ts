const DAY = 86_400

/** Events of one day in UTC. */
export interface ActivityDay {
  /** Epoch seconds. */
  readonly start: number
  readonly count: number
}

/** The days from the first to the last, those without events included; at most 400. */
export function everyDay(days: readonly ActivityDay[]): ActivityDay[] {
  const counts = new Map(days.map(({ start, count }) => [start, count]))
  const last = days.at(-1)?.start ?? 0
  const first = Math.max(days[0]?.start ?? 0, last - 399 * DAY)
  return Array.from({ length: days.length === 0 ? 0 : (last - first) / DAY + 1 }, (_none, at) => {
    const start = first + at * DAY
    return { start, count: counts.get(start) ?? 0 }
  })
}
