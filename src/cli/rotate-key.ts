import { readFileSync } from 'node:fs'
import { rotateInstanceKey } from '../app/rotate-instance-key.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { fileReason } from './file-reason.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { requireStore } from './require-store.ts'
import { withAppContext } from './with-app-context.ts'
import { takeWords } from './words.ts'

const MIN_LENGTH = 32

/** `vigil rotate-key`: replaces the instance key. */
export const rotateKey: Command = {
  help: `Usage: vigil rotate-key [--new-key-file FILE] [--data-dir FOLDER] [--json]

Replaces the instance key and seals every secret in the store with the new one, in one transaction: a crash leaves
either key in use. Everybody has to sign in again, and threat actors get new ids. Stop every server on the store first.
Where the key is the setting VIGIL_SECRET_KEY, --new-key-file names a file with the new one; change the setting to it
afterwards. Backups taken before hold the old key.
`,
  async run(args) {
    const given = readArguments(args, ['new-key-file'])
    takeWords(given.words, [])
    const { settings } = given.report
    const file = given.options['new-key-file']
    if ((settings.secretKey !== null) !== (file !== undefined))
      throw new Failure('BAD_COMMAND', {
        reason: '--new-key-file is needed where VIGIL_SECRET_KEY is set, and only there',
      })
    const newKey = file === undefined ? undefined : readKey(file)
    if (newKey !== undefined && newKey.length < MIN_LENGTH)
      throw new Failure('BAD_COMMAND', { reason: `the new key must have at least ${MIN_LENGTH} characters` })
    requireStore(settings)
    const { resealed, unreadable } = await withAppContext(settings, ({ store, sealer }) =>
      rotateInstanceKey(settings, store, sealer, newKey),
    )
    if (given.isJson) printResult(given, { resealed, unreadable }, '')
    else
      process.stderr.write(
        `The instance key was replaced; ${resealed} secrets were sealed with the new one.\n`,
      )
    if (unreadable > 0 && !given.isJson)
      process.stderr.write(`${unreadable} secrets could not be opened with the old key; they are lost.\n`)
    return exitCodes.done
  },
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = `--new-key-file: ${file} cannot be read: ${fileReason(error)}`
    throw new Failure('BAD_COMMAND', { reason }, { cause: error })
  }
}
