/**
 * Preloaded (`node --import`) into a program and its threads: writes every change that they make to files below a folder,
 * and every sync, in their order, to a recording that `replayed-disk.ts` plays.
 *
 * RECORDED_FOLDER: the folder; RECORDING: the file of the recording, outside of it.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { FileStep } from './replayed-disk.ts'

const folder = process.env['RECORDED_FOLDER']
const recording = process.env['RECORDING']
if (folder === undefined || recording === undefined)
  throw new Error('RECORDED_FOLDER and RECORDING are needed')
const prefix = folder + sep

const original = { ...fs }
const log = original.openSync(recording, 'a')
const watched = new Set<number>()
let depth = 0

function record(step: FileStep, data: Uint8Array = new Uint8Array(0)): void {
  const head = Buffer.from(JSON.stringify(step))
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32LE(head.length, 0)
  sizes.writeUInt32LE(data.byteLength, 4)
  // One write for each: threads and child processes append to the same file.
  original.writeSync(log, Buffer.concat([sizes, head, data]))
}

function inside(path: unknown): string | null {
  const full = resolve(String(path))
  return full === folder ? '' : full.startsWith(prefix) ? full.slice(prefix.length) : null
}

const handle = (fd: number): string => `${process.pid}.${threadId}.${fd}`

/** Calls the original; what that calls in turn is part of the same step. */
function within<T>(work: () => T): T {
  depth++
  try {
    return work()
  } finally {
    depth--
  }
}

type AnyFunction = (...args: never[]) => unknown
type Name = keyof typeof original

/** Replaces a function of `fs`; `note` is called with its arguments and result after it succeeded. */
function wrap(name: Name, note: (args: readonly unknown[], result: unknown) => void): void {
  const call = original[name] as unknown as AnyFunction
  ;(fs as unknown as Record<string, AnyFunction>)[name] = (...args: never[]) => {
    const result = within(() => call(...args))
    if (depth === 0) note(args, result)
    return result
  }
}

const { O_CREAT, O_TRUNC } = original.constants

wrap('openSync', ([path, flags], fd) => {
  const at = inside(path)
  if (at === null) return
  watched.add(fd as number)
  const truncates = typeof flags === 'number' ? (flags & O_TRUNC) !== 0 : String(flags).startsWith('w')
  const creates = typeof flags === 'number' ? (flags & O_CREAT) !== 0 : /^[wa]/.test(String(flags))
  record({ op: 'open', handle: handle(fd as number), path: at, truncates, creates })
})
wrap('closeSync', ([fd]) => {
  if (watched.delete(fd as number)) record({ op: 'close', handle: handle(fd as number) })
})
wrap('writeSync', ([fd, data, offset, _length, position], written) => {
  if (!watched.has(fd as number)) return
  if (typeof data === 'string')
    return record({ op: 'write', handle: handle(fd as number), at: null }, Buffer.from(data))
  const view = data as Uint8Array
  const from = typeof offset === 'number' ? offset : 0
  const bytes = Buffer.from(view.buffer, view.byteOffset + from, written as number)
  record(
    { op: 'write', handle: handle(fd as number), at: typeof position === 'number' ? position : null },
    bytes,
  )
})
wrap('ftruncateSync', ([fd, size]) => {
  if (watched.has(fd as number))
    record({ op: 'resize', handle: handle(fd as number), size: Number(size ?? 0) })
})
for (const name of ['fsyncSync', 'fdatasyncSync'] as const) {
  wrap(name, ([fd]) => {
    if (watched.has(fd as number)) record({ op: 'sync', handle: handle(fd as number) })
  })
}
wrap('writeFileSync', ([path, data, options]) => {
  const at = inside(path)
  const appends = typeof options === 'object' && options !== null && 'flag' in options && options.flag === 'a'
  if (at !== null && !appends) record({ op: 'file', path: at }, Buffer.from(data as never))
})
wrap('truncateSync', ([path, size]) => {
  const at = inside(path)
  if (at !== null) record({ op: 'resizeAt', path: at, size: Number(size ?? 0) })
})
wrap('mkdirSync', ([path]) => {
  const at = inside(path)
  if (at !== null && at !== '') record({ op: 'folder', path: at })
})
wrap('renameSync', ([from, to]) => {
  const [a, b] = [inside(from), inside(to)]
  if (a !== null && b !== null) record({ op: 'rename', path: a, to: b })
})
wrap('symlinkSync', ([target, path]) => {
  const at = inside(path)
  if (at !== null) throw new Error(`a symbolic link cannot be recorded: ${at} to ${String(target)}`)
})
for (const name of ['unlinkSync', 'rmdirSync', 'rmSync'] as const) {
  wrap(name, ([path]) => {
    const at = inside(path)
    if (at !== null) record({ op: 'remove', path: at })
  })
}
syncBuiltinESMExports()

/** Called by the recorded program: everything up to `number` was acknowledged. */
;(globalThis as { acknowledge?: (number: number) => void }).acknowledge = (number) =>
  record({ op: 'acknowledged', number })
