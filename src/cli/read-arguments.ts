import { parseArgs } from 'node:util'
import {
  Failure,
  nearestWord,
  readSettings,
  type SettingsReport,
  settingFlag,
  settingList,
} from '../kit/index.ts'

/** Arguments of a command: its own words and options, and the settings. */
export interface Arguments {
  /** Words without dashes, in order. */
  readonly words: readonly string[]
  /** Values of the command's own options. */
  readonly options: Readonly<Record<string, string | undefined>>
  readonly report: SettingsReport
  /** --json: standard output is for a program. */
  readonly isJson: boolean
}

/**
 * Reads a command line: the command's own options, every setting as a flag, and --json.
 *
 * @param ownSwitches own options that take no value; they read as `true`
 * @throws Failure BAD_COMMAND, INVALID_SETTINGS
 */
export function readArguments(
  args: string[],
  ownOptions: readonly string[] = [],
  ownSwitches: readonly string[] = [],
): Arguments {
  const flags = settingList
    .map(({ name, setting }) => ({
      flag: settingFlag(name),
      isSwitch: setting.isSwitch,
    }))
    // An option of the command hides a setting of the same name: `vigil scan --roles`.
    .filter(({ flag }) => !ownOptions.includes(flag) && !ownSwitches.includes(flag))
  const types = Object.fromEntries([
    ['json', { type: 'boolean' as const }],
    ...ownOptions.map((name) => [name, { type: 'string' as const }]),
    ...ownSwitches.map((name) => [name, { type: 'boolean' as const }]),
    ...flags.map(({ flag, isSwitch }) => [
      flag,
      { type: isSwitch ? ('boolean' as const) : ('string' as const) },
    ]),
  ])
  const { values, positionals } = parse(args, types)
  const text = (name: string): string | undefined => {
    const value = values[name]
    return value === undefined ? undefined : String(value)
  }
  return {
    words: positionals,
    options: Object.fromEntries([...ownOptions, ...ownSwitches].map((name) => [name, text(name)])),
    report: readSettings(process.env, Object.fromEntries(flags.map(({ flag }) => [flag, text(flag)]))),
    isJson: values['json'] === true,
  }
}

function parse(
  args: string[],
  options: Record<string, { type: 'string' | 'boolean' }>,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    const unknown = /Unknown option '--([\w-]+)'/.exec((error as Error).message)
    const nearest = unknown ? nearestWord(unknown[1]!, Object.keys(options)) : null
    const reason = unknown
      ? `--${unknown[1]} is not an option${nearest === null ? '' : `; did you mean --${nearest}?`}`
      : (error as Error).message
    throw new Failure('BAD_COMMAND', { reason }, { cause: error })
  }
}
