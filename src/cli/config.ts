import { settingList, settingVariable } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

/** `vigil config`: every setting with its value and source. */
export const config: Command = {
  help: `Usage: vigil config [any setting]

Prints one line a setting: variable, value, source (default, environment, file or flag). Secrets are not printed.
Ends with code 2 when a setting is wrong or unknown.
`,
  async run(args) {
    const { words, report } = readArguments(args)
    takeWords(words, [])
    for (const { name, setting } of settingList) {
      const value: unknown = report.settings[name]
      const shown = value === null ? '' : setting.isSecret ? '(set)' : String(value)
      process.stdout.write(`${settingVariable(name)}=${shown}  # ${report.sources[name]}\n`)
    }
    return exitCodes.done
  },
}
