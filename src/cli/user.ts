import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import type { Role } from '../contract/index.ts'
import { roles } from '../contract/vocabulary.ts'
import { Failure } from '../kit/index.ts'
import { accountAction } from './account-action.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

/** `vigil user`: makes accounts, sets passwords and turns two-step sign-in off, for the person who runs the machine. */
export const user: Command = {
  help: `Usage: vigil user create <email> [--role ADMIN]
       vigil user reset-password <email> [--revoke-keys]
       vigil user reset-second-factor <email>
       Each takes --json.

The password is the first line of standard input; at a terminal one is made and printed, once. It needs 12 to 128
characters; common passwords, patterns and the e-mail address are refused. reset-password ends all sessions of the
person; the person's API keys go on working unless --revoke-keys is given.
reset-second-factor turns two-step sign-in off for a person who lost the app and the recovery codes.
A running server on the data folder does it; no restart is needed.
`,
  async run(args) {
    const given = readArguments(args, ['role'], ['revoke-keys'])
    const [action, ...rest] = given.words
    if (action === 'create') await create(given, rest)
    else if (action === 'reset-password') await resetPassword(given, rest)
    else if (action === 'reset-second-factor') await resetSecondFactor(given, rest)
    else
      throw new Failure('BAD_COMMAND', {
        reason: 'vigil user takes create, reset-password or reset-second-factor',
      })
    return exitCodes.done
  },
}

async function create(given: Arguments, words: string[]): Promise<void> {
  const role = given.options['role'] ?? 'ADMIN'
  const [email] = takeWords(words, ['email'])
  if (!isRole(role)) throw new Failure('BAD_COMMAND', { reason: `--role takes ${roles.join(', ')}` })
  const password = await choosePassword(given.isJson)
  const asked = { email, password: password.text, role }
  const made = await accountAction(given.report.settings, 'createUser', asked)
  if (given.isJson) printResult(given, { login: made.login, role, ...password.made }, '')
  else process.stderr.write(`${made.login} can sign in as ${role}.\n`)
}

async function resetPassword(given: Arguments, words: string[]): Promise<void> {
  const revokesKeys = given.options['revoke-keys'] === 'true'
  const [email] = takeWords(words, ['email'])
  const password = await choosePassword(given.isJson)
  const asked = { email, password: password.text, revokesKeys }
  const { revokedKeys } = await accountAction(given.report.settings, 'resetPassword', asked)
  if (given.isJson) return printResult(given, { login: email, revokedKeys, ...password.made }, '')
  const keys = revokedKeys === 0 ? '' : `; API keys revoked: ${revokedKeys}`
  process.stderr.write(`The password of ${email} is set; all sessions ended${keys}.\n`)
}

async function resetSecondFactor(given: Arguments, words: string[]): Promise<void> {
  const [email] = takeWords(words, ['email'])
  const { login } = await accountAction(given.report.settings, 'resetSecondFactor', { email })
  printResult(given, { login }, `Two-step sign-in is off for ${login}.\n`)
}

interface ChosenPassword {
  readonly text: string
  /** For the JSON result; empty unless the password was made here. */
  readonly made: { readonly password?: string }
}

async function choosePassword(isJson: boolean): Promise<ChosenPassword> {
  if (process.stdin.isTTY) {
    const made = randomBytes(18).toString('base64url')
    if (!isJson) {
      process.stderr.write('Password, shown once:\n')
      process.stdout.write(`${made}\n`)
    }
    return { text: made, made: { password: made } }
  }
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return { text: line, made: {} }
  }
  throw new Failure('BAD_COMMAND', { reason: 'the password is missing on standard input' })
}

function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}
