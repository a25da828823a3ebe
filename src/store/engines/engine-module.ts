import { readFile } from 'node:fs/promises'

const FILE = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
let compiled: Promise<WebAssembly.Module> | null = null

/** The engine's code. Compiled once per process, which takes longer than anything else that opens a store. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= readFile(FILE)
    .then((bytes) => WebAssembly.compile(bytes))
    .catch((error: unknown) => {
      compiled = null // the next engine tries again
      throw error
    })
  return compiled
}
