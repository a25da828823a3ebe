import { keyKinds } from '../contract/vocabulary.ts'
import { Failure } from '../kit/index.ts'
import { accountAction } from './account-action.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

const MAX_LIFE_DAYS = 3650

/** `vigil key`: makes, lists and takes back API keys. */
export const key: Command = {
  help: `Usage: vigil key create [--kind EXTERNAL_API] [--name NAME] [--expires-in-days N]
       vigil key list
       vigil key revoke <id>
       Each takes --json.

create prints the key alone on standard output; it is not shown again. The key acts as the system, with all rights
that its kind has: EXTERNAL_API opens every operation that keys reach, CICD and BURP those that name them. Without
--expires-in-days it works until it is revoked. list prints one key a line, separated by tabs: id, key, kind, when it
was created, when it was last used, when it expires, owner, name.
A running server on the data folder does it; no restart is needed.
`,
  async run(args) {
    const given = readArguments(args, ['kind', 'name', 'expires-in-days'])
    const [action, ...rest] = given.words
    if (action === 'create') await create(given, rest)
    else if (action === 'list') await list(given, rest)
    else if (action === 'revoke') await revoke(given, rest)
    else throw new Failure('BAD_COMMAND', { reason: 'vigil key takes create, list or revoke' })
    return exitCodes.done
  },
}

async function create(given: Arguments, words: string[]): Promise<void> {
  const { options, report } = given
  takeWords(words, [])
  const asked = options['kind'] ?? 'EXTERNAL_API'
  const kind = keyKinds.find((one) => one === asked)
  if (kind === undefined) throw new Failure('BAD_COMMAND', { reason: `--kind takes ${keyKinds.join(', ')}` })
  const name = options['name'] ?? 'command line'
  const lifeDays = readDays(options['expires-in-days'])
  const made = await accountAction(report.settings, 'createKey', { kind, name, lifeDays })
  if (!given.isJson) process.stderr.write(`Key ${made.id} of kind ${kind}, shown once:\n`)
  printResult(given, { id: made.id, kind, name, key: made.key }, `${made.key}\n`)
}

async function list(given: Arguments, words: string[]): Promise<void> {
  takeWords(words, [])
  const keys = await accountAction(given.report.settings, 'listKeys', undefined)
  const rows = keys.map(({ id, maskedKey, kind, createdAt, usedAt, expiresAt, login, name }) => ({
    ...{ id, key: `${maskedKey.slice(0, 8)}…`, kind },
    ...{ created: day(createdAt), used: day(usedAt), expires: day(expiresAt), owner: login, name },
  }))
  printResult(given, rows, rows.map((row) => `${Object.values(row).join('\t')}\n`).join(''))
}

async function revoke(given: Arguments, words: string[]): Promise<void> {
  const [id] = takeWords(words, ['id'])
  if (!/^\d{1,10}$/.test(id))
    throw new Failure('BAD_COMMAND', { reason: '<id> is the number that "key list" shows' })
  await accountAction(given.report.settings, 'removeKey', { id: Number(id) })
  if (given.isJson) printResult(given, { revoked: Number(id) }, '')
  else process.stderr.write(`Key ${id} does not work any more.\n`)
}

function readDays(text: string | undefined): number | null {
  if (text === undefined) return null
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > MAX_LIFE_DAYS)
    throw new Failure('BAD_COMMAND', { reason: `--expires-in-days takes 1 to ${MAX_LIFE_DAYS}` })
  return days
}

function day(seconds: number): string {
  return seconds === 0 ? 'never' : new Date(seconds * 1000).toISOString().slice(0, 10)
}
