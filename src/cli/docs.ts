import { cpSync, existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../kit/index.ts'
import { findDocsSite } from '../server/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

/** `vigil docs`: the documentation as static files. */
export const docs: Command = {
  help: `Usage: vigil docs --out FOLDER [--json]

Writes the documentation of this version as static files into a folder that is new or empty. The pages open from the
folder, also without a server, and can be published by any; the search works in both. A running server has the same
pages at /docs.
`,
  async run(args) {
    const given = readArguments(args, ['out'])
    takeWords(given.words, [])
    const out = given.options['out']
    if (out === undefined || out === '') throw new Failure('BAD_COMMAND', { reason: '--out is missing' })
    const site = findDocsSite()
    if (site === null)
      throw new Failure('BAD_COMMAND', {
        reason: 'the documentation was not built; run "npm run build" in the folder of the program',
      })
    const folder = resolve(out)
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new Failure('BAD_COMMAND', { reason: `${out} is not empty` })
    cpSync(site, folder, { recursive: true })
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    ).length
    printResult(given, { folder, files }, `${files} files in ${folder}; open index.html\n`)
    return exitCodes.done
  },
}
