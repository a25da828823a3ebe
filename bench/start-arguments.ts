import { ensureBuilt } from '../scripts/built-program.ts'

/**
 * Arguments of Node.js with which the server runs after `npm start`, compiled from the present sources, so that what is
 * measured is what people start.
 */
export async function startArguments(): Promise<string[]> {
  await ensureBuilt()
  return ['dist/cli/main.js', 'start']
}
