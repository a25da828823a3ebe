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
    'vigil <command> --help tells more, vigil --version prints the version. Settings come from variables (VIGIL_PORT) or',
    'flags (--port): vigil config lists them, docs/configuration.md explains them.',
    '',
  ].join('\n')
}

/** Whether a command line asks for the help of its command; what follows -- belongs to another program. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  return own.includes('--help') || own.includes('-h')
}
