import { createKey, isKeyKind, listKeys, removeKey, systemUserId } from '../app/index.ts'
import { keyKinds } from '../contract/index.ts'
import { Failure, type Settings } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { withGround } from './with-ground.ts'
import { takeWords } from './words.ts'

const MAX_LIFE_DAYS = 3650

/** `vigil key`: makes, lists and takes back API keys. */
export const key: Command = {
  help: `Usage: vigil key create [--kind EXTERNAL_API] [--name NAME] [--expires-in-days N]
       vigil key list
       vigil key revoke <id>

create prints the key alone on standard output; it is not shown again. The key acts as the system, with all rights
that its kind has: EXTERNAL_API opens every operation that keys reach, CICD and BURP those that name them. Without
--expires-in-days it works until it is revoked. list prints one key a line, separated by tabs: id, key, kind, when it
was created, when it was last used, when it expires, owner, name.
With the embedded store the server must be stopped first; while it runs, make keys in the dashboard's settings.
`,
  async run(args) {
    const { words, options, report } = readArguments(args, ['kind', 'name', 'expires-in-days'])
    const [action, ...rest] = words
    if (action === 'create') await create(report.settings, rest, options)
    else if (action === 'list') await list(report.settings, rest)
    else if (action === 'revoke') await revoke(report.settings, rest)
    else throw new Failure('BAD_COMMAND', { reason: 'vigil key takes create, list or revoke' })
    return exitCodes.done
  },
}

type Options = Readonly<Record<string, string | undefined>>

async function create(settings: Settings, words: string[], options: Options): Promise<void> {
  takeWords(words, [])
  const kind = options['kind'] ?? 'EXTERNAL_API'
  if (!isKeyKind(kind)) throw new Failure('BAD_COMMAND', { reason: `--kind takes ${keyKinds.join(', ')}` })
  const name = options['name'] ?? 'command line'
  const lifeDays = readDays(options['expires-in-days'])
  const made = await withGround(settings, ({ access }) =>
    createKey(access, systemUserId, kind, name, lifeDays),
  )
  process.stderr.write(`Key ${made.id} of kind ${kind}, shown once:\n`)
  process.stdout.write(`${made.key}\n`)
}

async function list(settings: Settings, words: string[]): Promise<void> {
  takeWords(words, [])
  const keys = await withGround(settings, ({ access }) => listKeys(access, null))
  for (const { id, maskedKey, kind, createdAt, usedAt, expiresAt, login, name } of keys) {
    const days = [createdAt, usedAt, expiresAt].map(day)
    const cells = [id, `${maskedKey.slice(0, 8)}…`, kind, ...days, login, name]
    process.stdout.write(`${cells.join('\t')}\n`)
  }
}

async function revoke(settings: Settings, words: string[]): Promise<void> {
  const [id] = takeWords(words, ['id'])
  if (!/^\d{1,10}$/.test(id))
    throw new Failure('BAD_COMMAND', { reason: '<id> is the number that "key list" shows' })
  await withGround(settings, ({ access }) =>
    removeKey(access, Number(id), { userId: systemUserId, role: 'ADMIN' }),
  )
  process.stderr.write(`Key ${id} does not work any more.\n`)
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
