import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readTemplateFiles } from '../../app/index.ts'
import type { LibraryPart } from './read-branches.ts'

/** What a library brought. */
interface CopiedTests {
  readonly tests: number
  /** Names of files that hold a test which cannot be used. */
  readonly refused: string[]
}

/** Copies tests, their cases, remediation and clauses, each part into a folder; of several tests with one id the first. */
export async function copyTests(parts: readonly LibraryPart[], folder: string): Promise<CopiedTests> {
  const ids = new Set<string>()
  const beside = new Set<string>()
  const refused: string[] = []
  for (const [index, part] of parts.entries()) {
    const target = join(folder, `${index}-${part.name.replace(/[^\w.-]+/g, '-')}`)
    const copy = (path: string): void => {
      const place = join(target, relative(part.folder, path))
      mkdirSync(dirname(place), { recursive: true })
      copyFileSync(path, place)
    }
    const files = plainFiles(part.folder)
    for (const { path, name, template, isOther } of await readTemplateFiles(files.filter(isTest))) {
      if (template === null && !isOther) refused.push(`${part.name}: ${name}`)
      if (template === null || ids.has(template.id)) continue
      ids.add(template.id)
      copy(path)
      const cases = path.replace(/\.ya?ml$/i, '.cases.yaml')
      if (files.includes(cases)) copy(cases)
    }
    for (const path of files) {
      const [name] = /(?:remediation|compliance)\/[^/]+\.(?:md|conf)$/.exec(path) ?? []
      if (name === undefined || beside.has(name)) continue
      beside.add(name)
      copy(path)
    }
  }
  return { tests: ids.size, refused }
}

function isTest(path: string): boolean {
  return /\.ya?ml$/i.test(path) && !/\.cases\.ya?ml$/i.test(path)
}

/** Files without links and hidden folders, by name. */
function plainFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !relative(folder, path)
          .split('/')
          .some((part) => part.startsWith('.')),
    )
    .sort()
}
