import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Failure } from './failure.ts'
import { nearestWord } from './nearest-word.ts'
import type { SettingName, Settings } from './setting-table.ts'
import { settingFlag, settingList, settingVariable } from './setting-table.ts'

/** Where the value of a setting came from. */
export type SettingSource = 'default' | 'environment' | 'file' | 'flag'

/** The settings of a process and the source of each. */
export interface SettingsReport {
  readonly settings: Settings
  readonly sources: Readonly<Record<SettingName, SettingSource>>
}

/** Variables of the test suite share the prefix and mean nothing to the product. */
const TEST_PREFIX = 'VIGIL_TEST_'
const PREFIX = 'VIGIL_'
const FILE_SUFFIX = '_FILE'
const MAX_SECRET_FILE_BYTES = 64 * 1024

/**
 * Reads all settings: defaults, then the environment, then flags (keys without dashes, such as `max-body-bytes`).
 * A secret may be in a file named by its variable with `_FILE` appended. All problems are reported together.
 *
 * @throws Failure INVALID_SETTINGS with all problems, one a line
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | undefined>> = {},
): SettingsReport {
  const problems = unknownVariables(env)
  const values: Record<string, unknown> = {}
  const sources: Record<string, SettingSource> = {}
  for (const { name, setting } of settingList) {
    try {
      const given = givenText(name, setting.isSecret, env, flags)
      sources[name] = given?.source ?? 'default'
      values[name] = given === null ? setting.fallback : readText(setting.read, given)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      problems.push(String(error.details['reason']))
    }
  }
  if (problems.length === 0) problems.push(...incompleteSettings(values as unknown as Settings))
  if (problems.length > 0) throw new Failure('INVALID_SETTINGS', { problems: problems.join('\n') })
  values['dataDir'] = absoluteFolder(String(values['dataDir']))
  return {
    settings: Object.freeze(values) as unknown as Settings,
    sources: sources as Record<SettingName, SettingSource>,
  }
}

/** What settings lack that only work together. */
function incompleteSettings(settings: Settings): string[] {
  const { oidcIssuer, oidcClientId, passwordSignIn, smtpUrl, baseUrl } = settings
  const problems: string[] = []
  if (smtpUrl !== null && baseUrl === null)
    problems.push('VIGIL_SMTP_URL needs VIGIL_BASE_URL, the address that links in mails lead to')
  if (oidcIssuer !== null && oidcClientId === null)
    problems.push('VIGIL_OIDC_ISSUER needs VIGIL_OIDC_CLIENT_ID: register this installation at the provider')
  if (oidcIssuer === null && oidcClientId !== null)
    problems.push('VIGIL_OIDC_CLIENT_ID needs VIGIL_OIDC_ISSUER, the URL of the provider')
  if (!passwordSignIn && oidcIssuer === null)
    problems.push('VIGIL_PASSWORD_SIGN_IN=false needs VIGIL_OIDC_ISSUER, or nobody could sign in')
  return problems
}

interface Given {
  text: string
  source: SettingSource
  /** The flag or variable, for messages. */
  spelled: string
}

function givenText(
  name: SettingName,
  isSecret: boolean,
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | undefined>>,
): Given | null {
  const flag = flags[settingFlag(name)]
  if (flag !== undefined) return { text: flag, source: 'flag', spelled: `--${settingFlag(name)}` }
  const variable = settingVariable(name)
  const text = env[variable]
  if (text !== undefined) return { text, source: 'environment', spelled: variable }
  const path = isSecret ? env[variable + FILE_SUFFIX] : undefined
  if (path === undefined || path === '') return null
  return {
    text: readSecretFile(path, variable + FILE_SUFFIX),
    source: 'file',
    spelled: variable + FILE_SUFFIX,
  }
}

function readText(read: (text: string) => unknown, given: Given): unknown {
  try {
    return read(given.text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure('BAD_SETTING_TEXT', { reason: `${given.spelled} ${error.details['reason']}` })
  }
}

function readSecretFile(path: string, variable: string): string {
  try {
    const bytes = readFileSync(path)
    if (bytes.length > MAX_SECRET_FILE_BYTES) throw new Error('the file is too large for a secret')
    return bytes.toString('utf8').trim()
  } catch (error) {
    throw new Failure(
      'BAD_SETTING_TEXT',
      { reason: `${variable}: ${(error as Error).message}` },
      { cause: error },
    )
  }
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = settingList.flatMap(({ name, setting }) => {
    const variable = settingVariable(name)
    return setting.isSecret ? [variable, variable + FILE_SUFFIX] : [variable]
  })
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX) && !known.includes(name))
    .map((name) => {
      const nearest = nearestWord(name, known)
      return `${name} is not a setting${nearest === null ? '' : `; did you mean ${nearest}?`}`
    })
}

function absoluteFolder(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(path)
}
