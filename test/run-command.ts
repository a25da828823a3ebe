import { vi } from 'vitest'
import { commands } from '../src/cli/commands.ts'
import { explainFailure } from '../src/cli/explain-failure.ts'

/** Runs a command in this process; @returns its code, and what it wrote to standard error and to standard output */
export async function endOfCommand(
  name: string,
  args: readonly string[],
): Promise<{ code: number; said: string; printed: string }> {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  try {
    const command = await commands.find((one) => one.name === name)!.load()
    const code = await command.run([...args]).catch((error: unknown) => explainFailure(error, name))
    return { code, said: said.join(''), printed: printed.join('') }
  } finally {
    vi.restoreAllMocks()
  }
}
