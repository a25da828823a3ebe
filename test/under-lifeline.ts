/**
 * Runs a program that ends with the process that started it, however that ends: descriptor 3 is a pipe to it, which the
 * system closes. `startProgram` starts it.
 *
 *   node test/under-lifeline.ts PROGRAM [arguments of it]
 */
import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'

const lifeline = new Socket({ fd: 3 })
// Nobody is left to whom it could answer, and its folder may be gone: no end in order.
lifeline.once('close', () => process.kill(process.pid, 'SIGKILL'))
lifeline.resume()
// A program that has nothing more to do ends by itself.
lifeline.unref()
process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1]!).href)
