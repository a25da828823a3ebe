import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { readTextFile } from './read-text-file.ts'
import { configSchema } from './scan/config-schema.ts'
import { CONFIG_SCHEMA_FILE, initialConfig } from './scan/init-config.ts'
import { takeWords } from './words.ts'

/** As much of a description as an import takes. */
const MAX_BYTES = 64 * 1024 * 1024

/** `vigil init`: writes the configuration of a scan. */
export const init: Command = {
  help: `Usage: vigil init <file> [--out vigil.yaml] [--json]

Writes a configuration for vigil scan from an API description: the file, a target to fill in, and roles in the way that
the description says callers sign in. A file that exists is not overwritten (code 1). Beside it goes vigil.schema.json,
the JSON Schema that editors complete and check it with.
`,
  async run(args) {
    const given = readArguments(args, ['out'])
    const [file] = takeWords(given.words, ['file'])
    const path = given.options['out'] ?? 'vigil.yaml'
    const text = initialConfig(file, readText(file))
    try {
      writeFileSync(path, text, { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      process.stderr.write(`vigil: ${path} exists, and was left as it is\n`)
      return exitCodes.failed
    }
    // Of this version, whatever was there before.
    const schema = join(dirname(path), CONFIG_SCHEMA_FILE)
    writeFileSync(schema, `${JSON.stringify(configSchema, null, 2)}\n`)
    printResult(given, { file: path, schema }, `${path}\n`)
    if (!given.isJson)
      process.stderr.write(`Set the target and the roles in it, then: vigil scan --config ${path}\n`)
    return exitCodes.done
  },
}

function readText(file: string): string {
  const text = readTextFile(
    file,
    (reason) => new Failure('BAD_COMMAND', { reason: `${file} cannot be read: ${reason}` }),
    MAX_BYTES,
  )
  if (text.trim() === '') throw new Failure('BAD_COMMAND', { reason: `${file} is empty` })
  if (text.includes('\0')) throw new Failure('BAD_COMMAND', { reason: `${file} is not a text file` })
  return text
}
