import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { CallbackListener, createSigningKeys, jwkSet, type Template } from '../../testing/index.ts'
import type { TemplateFile } from '../template-files/read-template-files.ts'
import { readCases, type TemplateCase } from './case-file.ts'
import { type CaseDeps, runCase, storyOf, wordOf } from './run-case.ts'

/** Cases that run at once. */
const AT_ONCE = 4

/** What came of one case. */
export interface CaseResult {
  /** Name of the file with the test. */
  readonly file: string
  readonly testId: string
  readonly name: string
  /** vulnerable, secure, skipped, unconfirmed, or the name of another outcome. */
  readonly expected: string
  readonly got: string
  /** What was sent and answered; empty for a case that passed. */
  readonly story: string
}

interface Waiting {
  readonly file: string
  readonly template: Template
  readonly one: TemplateCase
}

/**
 * Runs the cases beside tests (`<name>.cases.yaml`), each against a server on this machine that answers by its rules.
 *
 * @param report called with each result, in the order in which they end
 * @returns the tests without a file of cases
 */
export async function testTemplates(
  files: readonly TemplateFile[],
  report: (result: CaseResult) => void,
): Promise<string[]> {
  const waiting: Waiting[] = []
  const without: string[] = []
  for (const { path, name, template } of files) {
    if (template === null) continue
    const casesPath = path.replace(/\.ya?ml$/i, '.cases.yaml')
    if (!existsSync(casesPath)) without.push(template.id)
    else waiting.push(...(await casesOf(casesPath, name, template, report)))
  }
  if (waiting.length > 0) await runAll(waiting, new Map(files.flatMap(named)), report)
  return without
}

function named({ template }: TemplateFile): [string, Template][] {
  return template === null ? [] : [[template.id, template]]
}

async function casesOf(
  path: string,
  file: string,
  template: Template,
  report: (result: CaseResult) => void,
): Promise<Waiting[]> {
  try {
    return readCases(await readFile(path, 'utf8')).map((one) => ({ file, template, one }))
  } catch (error) {
    const story = (error as Error).message
    report({
      file,
      testId: template.id,
      name: 'the file of cases',
      expected: 'readable',
      got: 'unreadable',
      story,
    })
    return []
  }
}

async function runAll(
  waiting: Waiting[],
  templates: ReadonlyMap<string, Template>,
  report: (result: CaseResult) => void,
): Promise<void> {
  await withCallbacks(async (shared) => {
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        report({ file: next.file, ...(await resultOf(next, { ...shared, templates })) })
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  })
}

/** Listens for callbacks of targets on this machine while the work lasts. */
export async function withCallbacks<T>(
  work: (shared: Omit<CaseDeps, 'templates'>) => Promise<T>,
): Promise<T> {
  const settings = { callbackHost: '127.0.0.1', callbackPort: 0, callbackUrl: null }
  const callback = await CallbackListener.start(settings)
  const keys = createSigningKeys(callback.keysUrl)
  callback.publishKeys(jwkSet(keys))
  try {
    return await work({ callback, keys })
  } finally {
    await callback.close()
  }
}

/** Runs one case, and says whether it came to what it expects. */
export async function resultOf(
  { template, one }: Omit<Waiting, 'file'>,
  deps: CaseDeps,
): Promise<Omit<CaseResult, 'file'>> {
  const about = { testId: template.id, name: one.name, expected: one.expect }
  try {
    const result = await runCase(template, one, deps)
    const got = wordOf(result)
    return { ...about, got, story: got === one.expect ? '' : storyOf(result) }
  } catch (error) {
    return { ...about, got: 'failed', story: (error as Error).message }
  }
}
