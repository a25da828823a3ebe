import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SIZE_MB = 4000
/** tmpfs takes no size below what is in use, and Vigil writes meanwhile. */
const TRIES = 20
const PAGE = 4096

/** A file system in memory that can be full: it shrinks to what is in use, and grows again. */
export class SmallDisk {
  readonly folder: string

  /** Null where this machine lets nobody mount one. */
  static mount(): SmallDisk | null {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-small-disk-'))
    // Servers below it run as accounts of their own.
    const options = `size=${SIZE_MB}m,mode=0711`
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0)
      return new SmallDisk(folder)
    rmSync(folder, { recursive: true, force: true })
    return null
  }

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Leaves no room but for a few pages. */
  fill(): void {
    for (let tries = 0; tries < TRIES; tries++) {
      const { blocks, bfree, bsize } = statfsSync(this.folder)
      const pages = Math.ceil(((blocks - bfree) * bsize) / PAGE) + tries
      if (this.#resize(`${pages * PAGE}`)) return
    }
    throw new Error(`the disk at ${this.folder} cannot be filled`)
  }

  free(): void {
    if (!this.#resize(`${SIZE_MB}m`)) throw new Error(`the disk at ${this.folder} cannot be freed`)
  }

  unmount(): void {
    spawnSync('umount', ['-l', this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }

  #resize(size: string): boolean {
    return spawnSync('mount', ['-o', `remount,size=${size}`, this.folder]).status === 0
  }
}
