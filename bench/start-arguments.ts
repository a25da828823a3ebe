import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../scripts/built-program.ts'

interface PackageFile {
  readonly scripts: { readonly start: string }
}

/**
 * Arguments of Node.js with which `npm start` starts the program, compiled from the present sources, so that what is
 * measured is what people start.
 */
export function startArguments(): string[] {
  ensureBuilt()
  const path = fileURLToPath(new URL('../package.json', import.meta.url))
  const { scripts } = JSON.parse(readFileSync(path, 'utf8')) as PackageFile
  return scripts.start.split(' ').slice(1)
}
