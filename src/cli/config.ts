import { settingList, settingVariable } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

/** `vigil config`: every setting with its value and source. */
export const config: Command = {
  help: `Usage: vigil config [any setting] [--json]

Prints one line a setting: variable, value, source (default, environment, file or flag). Secrets are not printed.
Ends with code 2 when a setting is wrong or unknown.
`,
  async run(args) {
    const given = readArguments(args)
    takeWords(given.words, [])
    const { settings, sources } = given.report
    const rows = settingList.map(({ name, setting }) => {
      const value: unknown = settings[name]
      const shown = value !== null && setting.isSecret ? '(set)' : value
      return { variable: settingVariable(name), value: shown, source: sources[name] }
    })
    const lines = rows.map(({ variable, value, source }) => `${variable}=${value ?? ''}  # ${source}\n`)
    printResult(given, rows, lines.join(''))
    return exitCodes.done
  },
}
