import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** A segment is closed when it is so large, and removed once everything in it was delivered. */
const SEGMENT_BYTES = 16 * 1024 * 1024
const HEAD_BYTES = 8
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const

interface Segment {
  readonly path: string
  /** Number of the last record in it. */
  last: number
}

/**
 * Records on disk that wait for their delivery: length, checksum (CRC-32) and text of each, appended and never changed.
 * What a killed process had appended is there when the folder is opened again; a record that was cut off by the kill
 * ends its segment. Delivery is at least once: a segment goes when all of it was delivered.
 */
export class Spool {
  readonly #folder: string
  readonly #segments: Segment[] = []
  #fd: number | null = null
  #size = 0
  #number = 0
  #nextFile = 0

  /**
   * Opens a folder, making it when it is absent.
   *
   * @param leftovers hears every record that an earlier process left, oldest first, with its number
   */
  constructor(folder: string, leftovers: (text: string, number: number) => void) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder })
    const files = readdirSync(folder)
      .filter((name) => /^\d+\.spool$/.test(name))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    for (const name of files) {
      const path = join(folder, name)
      for (const text of readSegment(path)) leftovers(text, ++this.#number)
      this.#segments.push({ path, last: this.#number })
      this.#nextFile = Number.parseInt(name, 10) + 1
    }
  }

  /** Appends a record. @returns its number */
  append(text: string): number {
    const body = Buffer.from(text)
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt32LE(body.length, 0)
    head.writeUInt32LE(crc32(body), 4)
    if (this.#fd === null || this.#size >= SEGMENT_BYTES) this.#begin()
    writeSync(this.#fd!, Buffer.concat([head, body]))
    this.#size += HEAD_BYTES + body.length
    this.#segments.at(-1)!.last = ++this.#number
    return this.#number
  }

  /** Notes that every record up to this number was delivered. */
  delivered(number: number): void {
    while (this.#segments[0] !== undefined && this.#segments[0].last <= number) {
      if (this.#segments.length === 1 && this.#fd !== null) {
        closeSync(this.#fd)
        this.#fd = null
      }
      unlinkSync(this.#segments.shift()!.path)
    }
  }

  /** Closes the open segment; removes the folder when nothing is left in it. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
    if (this.#segments.length === 0) rmdirSync(this.#folder)
  }

  #begin(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    const path = join(this.#folder, `${this.#nextFile++}.spool`)
    this.#fd = openSync(path, 'wx', OWNER_ONLY.file)
    this.#size = 0
    this.#segments.push({ path, last: this.#number })
  }
}

function readSegment(path: string): string[] {
  // Segments are ours and at most one record larger than their limit; anything else is not read.
  if (statSync(path).size > 4 * SEGMENT_BYTES) return []
  const bytes = readFileSync(path)
  const texts: string[] = []
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at)
    const body = bytes.subarray(at + HEAD_BYTES, end)
    if (end > bytes.length || crc32(body) !== bytes.readUInt32LE(at + 4)) break
    texts.push(body.toString())
    at = end
  }
  return texts
}
