/**
 * Waits for work for at most a time. The work continues when the time is over; whether it fails then is nobody's concern.
 *
 * @returns whether it ended in time
 * @throws what the work throws in time
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    clearTimeout(timer)
  }
}
