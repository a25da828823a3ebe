import { readTemplateFiles, type TemplateFile } from '../../app/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { printResult } from '../print-result.ts'
import type { Arguments } from '../read-arguments.ts'
import { counted } from '../words.ts'
import { requirePaths } from './require-paths.ts'

/** Prints the problems of each file; code 1 when a test cannot be used, or none was found. */
export async function validateTemplates(given: Arguments, paths: readonly string[]): Promise<number> {
  requirePaths(paths)
  const files = await readTemplateFiles(paths)
  const problems = files.flatMap(problemsOf)
  const tests = files.filter(({ template }) => template !== null).length
  const refused = files.filter(({ template, isOther }) => template === null && !isOther).length
  const lines = problems.map(
    ({ file, line, column, severity, message, nearest }) =>
      `${file}:${line}:${column}: ${severity}: ${message}${nearest === null ? '' : ` Did you mean ${nearest}?`}\n`,
  )
  const end = `${counted(tests, 'test')} can be used, ${refused} cannot\n`
  printResult(given, { tests, refused, problems }, `${lines.join('')}${end}`)
  return refused > 0 || tests === 0 ? exitCodes.failed : exitCodes.done
}

function problemsOf({ name: file, problems }: TemplateFile) {
  return problems.map(({ severity, message, nearest, place: { line, column, path } }) => ({
    ...{ file, line, column, path, severity, message, nearest },
  }))
}
