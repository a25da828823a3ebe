import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One step of a recording (`record-files.ts`); paths are relative to the recorded folder. */
export type FileStep =
  | { op: 'open'; handle: string; path: string; truncates: boolean; creates: boolean }
  | { op: 'close' | 'sync'; handle: string }
  | { op: 'write'; handle: string; at: number | null }
  | { op: 'resize'; handle: string; size: number }
  | { op: 'resizeAt'; path: string; size: number }
  | { op: 'file' | 'folder' | 'remove'; path: string }
  | { op: 'rename'; path: string; to: string }
  | { op: 'acknowledged'; number: number }

/** What a disk keeps of writes that nobody synced when the power fails: all of them, none, or any of its blocks. */
export type Kept = 'all' | 'none' | 'some'

/** Unit in which a disk keeps or loses a write. */
const BLOCK = 4096

interface Entry {
  /** Null: a folder. */
  live: Buffer | null
  size: number
  /** What is certainly on the disk; undefined until the first sync. */
  synced: Buffer | null | undefined
  /** Blocks written since the last sync. */
  dirty: Set<number>
}

/** Steps of a recording with their data, in order; a torn last record is left out. */
export function* readRecording(file: string): Generator<{ step: FileStep; data: Buffer }> {
  const fd = openSync(file, 'r')
  const sizes = Buffer.alloc(8)
  try {
    while (readSync(fd, sizes) === 8) {
      const head = Buffer.alloc(sizes.readUInt32LE(0))
      const data = Buffer.alloc(sizes.readUInt32LE(4))
      if (readSync(fd, head) < head.length || (data.length > 0 && readSync(fd, data) < data.length)) return
      yield { step: JSON.parse(head.toString()) as FileStep, data }
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * A disk that plays a recording and can be copied as it would be found after a power failure at any step.
 *
 * As on file systems with an ordered journal (ext4, XFS, APFS), names that were created, renamed or removed are kept in
 * their order once anything is synced; the bytes of a file are only kept when that file is.
 */
export class ReplayedDisk {
  readonly #entries = new Map<string, Entry>([['', { live: null, size: 0, synced: null, dirty: new Set() }]])
  /** Names as they were at the last sync of anything. */
  #syncedNames: ReadonlyMap<string, Entry>
  readonly #open = new Map<string, { entry: Entry; at: number }>()

  /** Begins with everything that a real folder holds, synced. */
  constructor(folder: string) {
    for (const found of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(found.parentPath, found.name)
      const live = found.isDirectory() ? null : readFileSync(path)
      const size = live?.length ?? 0
      this.#entries.set(path.slice(folder.length + 1), { live, size, synced: live, dirty: new Set() })
    }
    this.#syncedNames = new Map(this.#entries)
  }

  play(step: FileStep, data: Buffer): void {
    switch (step.op) {
      case 'open': {
        if (step.creates && !this.#entries.has(step.path)) this.#entries.set(step.path, emptyFile())
        const entry = this.#entry(step.path)
        if (step.truncates) resize(entry, 0)
        this.#open.set(step.handle, { entry, at: 0 })
        return
      }
      case 'close':
        this.#open.delete(step.handle)
        return
      case 'write': {
        const handle = this.#handle(step.handle)
        const at = step.at ?? handle.at
        write(handle.entry, at, data)
        if (step.at === null) handle.at = at + data.length
        return
      }
      case 'resize':
        resize(this.#handle(step.handle).entry, step.size)
        return
      case 'resizeAt':
        resize(this.#entry(step.path), step.size)
        return
      case 'file': {
        const entry = this.#entries.get(step.path) ?? emptyFile()
        this.#entries.set(step.path, entry)
        resize(entry, 0)
        write(entry, 0, data)
        return
      }
      case 'folder':
        // Recursive: folders above may be new too.
        for (let path = step.path; path !== '.' && !this.#entries.has(path); path = dirname(path))
          this.#entries.set(path, { live: null, size: 0, synced: null, dirty: new Set() })
        return
      case 'remove':
        for (const path of [...this.#entries.keys()])
          if (path === step.path || path.startsWith(`${step.path}/`)) this.#entries.delete(path)
        return
      case 'rename': {
        const moved = [...this.#entries].filter(
          ([path]) => path === step.path || path.startsWith(`${step.path}/`),
        )
        for (const [path, entry] of moved) {
          this.#entries.delete(path)
          this.#entries.set(step.to + path.slice(step.path.length), entry)
        }
        return
      }
      case 'sync': {
        const { entry } = this.#handle(step.handle)
        if (entry.live !== null) {
          entry.synced = Buffer.from(entry.live.subarray(0, entry.size))
          entry.dirty.clear()
        }
        this.#syncedNames = new Map(this.#entries)
        return
      }
      case 'acknowledged':
    }
  }

  /**
   * Writes the disk as it is found after the power failed now.
   *
   * @param random numbers from 0 to 1 that decide for `some`
   */
  copyTo(folder: string, kept: Kept, random: () => number): void {
    const names = kept === 'all' || (kept === 'some' && random() < 0.5) ? this.#entries : this.#syncedNames
    const paths = [...names].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [path, entry] of paths) {
      if (entry.live === null) mkdirSync(join(folder, path), { recursive: true })
      else writeFileSync(join(folder, path), found(entry, kept, random))
    }
  }

  /** Paths whose content differs from that of a real folder. */
  differencesFrom(folder: string): string[] {
    const real = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      // The room kept for a full disk holds nothing, and the store does not write it.
      .filter((path) => path !== 'database.reserve')
    const played = [...this.#entries].filter(([, { live }]) => live !== null)
    const missing = real.filter((path) => !this.#entries.has(path))
    const other = played
      .filter(([path, { live, size }]) => {
        if (!real.includes(path)) return true
        return !readFileSync(join(folder, path)).equals(live!.subarray(0, size))
      })
      .map(([path]) => path)
    return [...missing, ...other]
  }

  #entry(path: string): Entry {
    const entry = this.#entries.get(path)
    if (entry === undefined) throw new Error(`the recording does not make ${path}`)
    return entry
  }

  #handle(name: string): { entry: Entry; at: number } {
    const handle = this.#open.get(name)
    if (handle === undefined) throw new Error(`the recording does not open ${name}`)
    return handle
  }
}

function emptyFile(): Entry {
  return { live: Buffer.alloc(0), size: 0, synced: undefined, dirty: new Set() }
}

function grow(entry: Entry, size: number): void {
  if (entry.live!.length >= size) return
  const larger = Buffer.alloc(Math.max(size, 2 * entry.live!.length))
  entry.live!.copy(larger, 0, 0, entry.size)
  entry.live = larger
}

function write(entry: Entry, at: number, data: Buffer): void {
  const end = at + data.length
  if (entry.live === entry.synced) entry.live = Buffer.from(entry.live!)
  grow(entry, end)
  data.copy(entry.live!, at)
  for (let block = Math.floor(Math.min(at, entry.size) / BLOCK); block * BLOCK < end; block++)
    entry.dirty.add(block)
  entry.size = Math.max(entry.size, end)
}

function resize(entry: Entry, size: number): void {
  grow(entry, size)
  if (entry.live === entry.synced) entry.live = Buffer.from(entry.live!)
  const [low, high] = size < entry.size ? [size, entry.size] : [entry.size, size]
  entry.live!.fill(0, low, high)
  for (let block = Math.floor(low / BLOCK); block * BLOCK < high; block++) entry.dirty.add(block)
  entry.size = size
}

function found(entry: Entry, kept: Kept, random: () => number): Buffer {
  const live = entry.live!.subarray(0, entry.size)
  if (kept === 'all') return live
  const synced = entry.synced ?? Buffer.alloc(0)
  if (kept === 'none' || entry.dirty.size === 0) return synced
  const size = random() < 0.5 ? live.length : synced.length
  const mixed = Buffer.alloc(size)
  synced.copy(mixed)
  for (const block of entry.dirty) {
    const at = block * BLOCK
    if (at < Math.min(live.length, size) && random() < 0.5) live.copy(mixed, at, at, at + BLOCK)
  }
  return mixed
}
