import { type CaseResult, readTemplateFiles, testTemplates } from '../../app/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { printResult } from '../print-result.ts'
import type { Arguments } from '../read-arguments.ts'
import { counted } from '../words.ts'
import { requirePaths } from './require-paths.ts'

/** Runs the cases of each test; code 1 when one fails, a test cannot be used, or there was no case. */
export async function runTemplateCases(given: Arguments, paths: readonly string[]): Promise<number> {
  requirePaths(paths)
  const files = await readTemplateFiles(paths)
  const unusable = files.filter(({ template, isOther }) => template === null && !isOther)
  const results: CaseResult[] = []
  const withoutCases = await testTemplates(files, (result) => {
    results.push(result)
    if (!given.isJson) process.stdout.write(lineOf(result))
  })
  const failed = results.filter(({ expected, got }) => expected !== got).length
  const passed = results.length - failed
  const refused = unusable.map(({ name }) => name)
  const end = [
    ...refused.map((name) => `${name} cannot be used: see vigil templates validate\n`),
    ...(withoutCases.length === 0 ? [] : [`without cases: ${withoutCases.join(', ')}\n`]),
    `${counted(passed, 'case')} passed, ${failed} failed\n`,
  ]
  printResult(given, { passed, failed, refused, withoutCases, results }, end.join(''))
  return failed > 0 || refused.length > 0 || passed === 0 ? exitCodes.failed : exitCodes.done
}

function lineOf({ testId, name, expected, got, story }: CaseResult): string {
  if (expected === got) return `ok    ${testId}: ${name}\n`
  const indented = story.replace(/^/gm, '        ')
  return `FAIL  ${testId}: ${name}: expected ${expected}, got ${got}\n${indented}\n`
}
