import type { Arguments } from './read-arguments.ts'

/** Prints what a command came to on standard output: one JSON value with --json, else the text for people. */
export function printResult({ isJson }: Pick<Arguments, 'isJson'>, value: unknown, text: string): void {
  process.stdout.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : text)
}
