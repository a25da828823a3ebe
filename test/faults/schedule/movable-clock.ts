/**
 * Preloaded (`node --import`) into a program and its threads: their clock is off by the milliseconds that the file
 * MOVED_CLOCK holds, from soon after it is written. Timers keep their time, as when a clock is set.
 */
import { readFileSync } from 'node:fs'

const READ_EVERY_MS = 100

const file = process.env['MOVED_CLOCK']
if (file === undefined) throw new Error('MOVED_CLOCK is needed')
const RealDate = Date
let offset = 0

function read(): void {
  try {
    offset = Number(readFileSync(file!, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    offset = 0
  }
}

const now = (): number => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
read()
setInterval(read, READ_EVERY_MS).unref()
