import { createReadStream, type Dirent, mkdirSync, readdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { Failure } from '../../kit/index.ts'

/*
 * The part of the tar format (POSIX.1-2001, ustar) that backups need: plain files and folders, names up to 100 bytes.
 */

const BLOCK = 512
const NAME_BYTES = 100
const MAX_FILE_BYTES = 0o77777777777
const MAX_ENTRIES = 1_000_000
const FILE = '0'
const FOLDER = '5'

/** One entry to write: a folder when `source` is null. */
interface Entry {
  name: string
  source: string | null
}

/** The archive of some trees as pieces: each root is a path on disk and the name it has inside. */
export async function* packTrees(roots: readonly { path: string; name: string }[]): AsyncGenerator<Buffer> {
  for (const root of roots) {
    for (const entry of listTree(root.path, root.name)) yield* packEntry(entry)
  }
  yield Buffer.alloc(2 * BLOCK)
}

function* listTree(path: string, name: string): Generator<Entry> {
  if (!statSync(path).isDirectory()) {
    yield { name, source: path }
    return
  }
  yield { name: `${name}/`, source: null }
  const children = readdirSync(path, { withFileTypes: true }).filter(isPlain)
  children.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const child of children) yield* listTree(join(path, child.name), posix.join(name, child.name))
}

function isPlain(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory()
}

async function* packEntry({ name, source }: Entry): AsyncGenerator<Buffer> {
  if (source === null) {
    yield header(name, 0, FOLDER)
    return
  }
  const { size } = statSync(source)
  yield header(name, size, FILE)
  let written = 0
  for await (const piece of createReadStream(source, {
    highWaterMark: 1024 * 1024,
    end: Math.max(size - 1, 0),
  })) {
    written += (piece as Buffer).length
    yield piece as Buffer
  }
  if (written !== size) throw new Failure('SNAPSHOT_FAILED', { reason: `${name} changed while it was read` })
  if (size % BLOCK !== 0) yield Buffer.alloc(BLOCK - (size % BLOCK))
}

function header(name: string, size: number, type: string): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES || size > MAX_FILE_BYTES) {
    throw new Failure('SNAPSHOT_FAILED', { reason: `${name} does not fit into the archive` })
  }
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write(type === FOLDER ? '0000700\0' : '0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\u000000', 257)
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function checksum(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : block[at]!
  return sum
}

/**
 * Unpacks an archive into an existing folder. Names that lead out of it, links and unknown kinds of entries are
 * refused.
 *
 * @returns names of the files unpacked
 * @throws Failure BACKUP_UNREADABLE
 */
export async function unpackInto(folder: string, pieces: AsyncIterable<Buffer>): Promise<string[]> {
  const source = new PieceReader(pieces)
  const files: string[] = []
  for (let count = 0; ; count++) {
    if (count > MAX_ENTRIES) throw unreadable('too many entries')
    const block = await source.read(BLOCK)
    if (block.every((byte) => byte === 0)) return files
    const { name, size, type } = readHeader(block)
    const path = join(folder, name)
    if (type === FOLDER) {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      continue
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await writeEntry(path, size, source)
    files.push(name)
  }
}

async function writeEntry(path: string, size: number, source: PieceReader): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (let left = size; left > 0; ) {
      const piece = await source.readSome(left)
      await file.writeFile(piece)
      left -= piece.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await source.read((BLOCK - (size % BLOCK)) % BLOCK)
}

function readHeader(block: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, to: number): string =>
    block.toString('utf8', from, to).split('\0', 1)[0]!.trim()
  if (text(257, 262) !== 'ustar' || Number.parseInt(text(148, 156), 8) !== checksum(block)) {
    throw unreadable('a header is damaged')
  }
  const name = text(0, NAME_BYTES)
  const type = text(156, 157)
  const size = Number.parseInt(text(124, 136), 8)
  const parts = name.replace(/\/$/, '').split('/')
  const isSafe = !name.startsWith('/') && parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isSafe || name.includes('\\') || (type !== FILE && type !== FOLDER) || !(size >= 0)) {
    throw unreadable('an entry is of a kind that backups do not have')
  }
  return { name, size, type }
}

function unreadable(reason: string): Failure {
  return new Failure('BACKUP_UNREADABLE', { reason })
}

/** Reads exact amounts from a stream of pieces. */
class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** At least one byte, at most `most`. */
  async readSome(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#pieces.next()
      if (next.done) throw unreadable('it ends too early')
      this.#rest = next.value
    }
    const piece = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }

  /** Exactly `count` bytes. */
  async read(count: number): Promise<Buffer> {
    const whole = Buffer.alloc(count)
    for (let at = 0; at < count; ) {
      const piece = await this.readSome(count - at)
      piece.copy(whole, at)
      at += piece.length
    }
    return whole
  }
}
