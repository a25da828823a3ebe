import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface PackageFile {
  readonly scripts: { readonly start: string }
}

/** The settings of Node.js that `npm start` gives the program, so that what is measured is what people start. */
export function startSettings(): string[] {
  const path = fileURLToPath(new URL('../package.json', import.meta.url))
  const { scripts } = JSON.parse(readFileSync(path, 'utf8')) as PackageFile
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}
