import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'

const MIB = 1024 * 1024
/** Three segments of the log: what a transaction under way and the checkpoint of a shutdown may still need. */
const LOW_BYTES = 48 * MIB
/** Higher than the low mark, so that writes are not taken and refused in turns. */
const ENOUGH_BYTES = 64 * MIB
/** Two segments of the log. */
const RESERVE_BYTES = 32 * MIB
/** With less than one segment of the log free, recovery may not come to its end. */
const RECOVERY_BYTES = 24 * MIB

/**
 * Watches the free space of the embedded store's disk. Writes are refused while it is low, because an engine that cannot
 * write its log stops. A reserve beside the database is given up for what cannot be refused any more.
 */
export class SpaceGuard {
  readonly #folder: string
  readonly #reserve: string
  #isLow = false

  /** @param folder of the database; the reserve is made beside it */
  constructor(folder: string) {
    this.#folder = folder
    this.#reserve = `${folder}.reserve`
  }

  /** Whether writes are to be refused now. */
  isLow(): boolean {
    this.#isLow = this.#free() < (this.#isLow ? ENOUGH_BYTES : LOW_BYTES)
    return this.#isLow
  }

  /** Gives the reserve up when the disk has no room for recovery. */
  makeRoomForRecovery(): void {
    if (!this.hasRoomForRecovery()) this.release()
  }

  hasRoomForRecovery(): boolean {
    return this.#free() >= RECOVERY_BYTES
  }

  /** Gives the reserve up; false when there is none. */
  release(): boolean {
    if (!existsSync(this.#reserve)) return false
    rmSync(this.#reserve, { force: true })
    return true
  }

  /** Makes the reserve unless it is there or the disk has no room for it. */
  async refill(): Promise<void> {
    if (existsSync(this.#reserve) || this.#free() < ENOUGH_BYTES + RESERVE_BYTES) return
    const draft = `${this.#reserve}.new`
    const file = await open(draft, 'w', 0o600)
    try {
      // Random bytes: file systems that compress or leave out zeros would reserve nothing.
      const chunk = randomBytes(MIB)
      for (let written = 0; written < RESERVE_BYTES; written += MIB) await file.write(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, this.#reserve)
  }

  #free(): number {
    const { bavail, bsize } = statfsSync(this.#folder)
    return bavail * bsize
  }
}
