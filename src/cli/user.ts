import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { createUser, findUser, setPassword } from '../app/index.ts'
import { type Role, roles } from '../contract/index.ts'
import { Failure, type Settings } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { withGround } from './with-ground.ts'
import { takeWords } from './words.ts'

/** `vigil user`: makes accounts and sets passwords, for the person who runs the machine. */
export const user: Command = {
  help: `Usage: vigil user create <email> [--role ADMIN]
       vigil user reset-password <email> [--revoke-keys]

The password is the first line of standard input; at a terminal one is made and printed, once. It needs 12 to 128
characters; common passwords, patterns and the e-mail address are refused. reset-password ends all sessions of the
person; the person's API keys go on working unless --revoke-keys is given.
With the embedded store the server must be stopped first.
`,
  async run(args) {
    const { words, options, report } = readArguments(args, ['role'], ['revoke-keys'])
    const [action, ...rest] = words
    if (action === 'create') await create(report.settings, rest, options['role'] ?? 'ADMIN')
    else if (action === 'reset-password')
      await resetPassword(report.settings, rest, options['revoke-keys'] === 'true')
    else throw new Failure('BAD_COMMAND', { reason: 'vigil user takes create or reset-password' })
    return exitCodes.done
  },
}

async function create(settings: Settings, words: string[], role: string): Promise<void> {
  const [email] = takeWords(words, ['email'])
  if (!isRole(role)) throw new Failure('BAD_COMMAND', { reason: `--role takes ${roles.join(', ')}` })
  const password = await choosePassword()
  const made = await withGround(settings, ({ access }) => createUser(access, email, password, role))
  process.stderr.write(`${made.login} can sign in as ${role}.\n`)
}

async function resetPassword(settings: Settings, words: string[], revokesKeys: boolean): Promise<void> {
  const [email] = takeWords(words, ['email'])
  const password = await choosePassword()
  const revoked = await withGround(settings, async ({ access }) => {
    const found = await findUser(access, email)
    if (!found) throw new Failure('NO_SUCH_USER')
    return setPassword(access, found.id, password, { keptSessionId: null, revokesKeys })
  })
  const keys = revoked === 0 ? '' : `; API keys revoked: ${revoked}`
  process.stderr.write(`The password of ${email} is set; all sessions ended${keys}.\n`)
}

async function choosePassword(): Promise<string> {
  if (process.stdin.isTTY) {
    const made = randomBytes(18).toString('base64url')
    process.stderr.write('Password, shown once:\n')
    process.stdout.write(`${made}\n`)
    return made
  }
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  throw new Failure('BAD_COMMAND', { reason: 'the password is missing on standard input' })
}

function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}
