import type { ListedCommand } from './command.ts'

/** The text of `vigil --help`. */
export function programHelp(commands: readonly ListedCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`)
  return [
    'Usage: vigil <command> [arguments]',
    '',
    'Commands:',
    ...lines,
    '',
    'vigil <command> --help tells more, vigil --version prints the version. Settings come from variables (VIGIL_PORT) or flags (--port): see',
    'docs/configuration.md.',
    '',
  ].join('\n')
}
