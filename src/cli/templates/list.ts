import { libraryTests, readTemplateFiles } from '../../app/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { printResult } from '../print-result.ts'
import type { Arguments } from '../read-arguments.ts'

/** Prints one line a test: id, severity, category, name, file. */
export async function listTemplates(given: Arguments, paths: readonly string[]): Promise<number> {
  const named = paths.length > 0 ? paths : [...given.report.settings.templateDirs, libraryTests]
  const seen = new Set<string>()
  const rows = (await readTemplateFiles(named)).flatMap(({ template, name }) => {
    if (template === null || seen.has(template.id)) return []
    seen.add(template.id)
    const { severity, category, name: title } = template.info
    return [{ id: template.id, severity, category: category.name, name: title, file: name }]
  })
  rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  printResult(given, rows, rows.map((row) => `${Object.values(row).join('\t')}\n`).join(''))
  return exitCodes.done
}
