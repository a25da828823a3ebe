/** What a slow machine gives databases, brokers and disks to start, or to start again after a fault. */
export const START_MS = 900_000

/** A schedule could not be carried out, because what surrounds Vigil did not start: that tells nothing of Vigil. */
export class NotRun extends Error {}

/** Starts something that Vigil needs. @throws NotRun when it cannot */
export async function surroundings<T>(what: string, start: () => T | Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new NotRun(`${what}: ${(error as Error).message}`)
  }
}
