import { Failure, nowMs, Slots } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { templatesOf } from '../test-runs/library.ts'
import { readSentTemplate } from '../test-runs/sent-template.ts'
import { placeholdersIn } from './answering-server.ts'
import { type AnswerRule, readCases, type TemplateCase } from './case-file.ts'
import { flat } from './exchange-text.ts'
import { type CaseResult, resultOf, withCallbacks } from './test-templates.ts'

/** Cases of one text. */
const MAX_CASES = 50
/** Rules of one case: each request is held against them in turn. */
const MAX_RULES = 200
/** Placeholders of one rule. */
const MAX_PLACEHOLDERS = 100
/** Cases that are not begun by then are not run. */
const LIMIT_MS = 60_000
/** People whose cases wait; they run one after the other. */
const slots = new Slots(1, 4)

/** A test and its cases, as somebody wrote them. */
export interface SentCases {
  readonly content: string
  readonly cases: string
}

/** What came of a case that was tried. */
export type TriedCase = Pick<CaseResult, 'name' | 'expected' | 'got' | 'story'>

/**
 * Runs the cases of a test, each against a server on this machine that answers by the rules of the case. Nothing is
 * sent elsewhere, and nothing is kept.
 *
 * @throws Failure INVALID_TEST_TEMPLATE, INVALID_TEST_CASES, OVERLOADED
 */
export async function tryCases(store: Store, { content, cases }: SentCases): Promise<TriedCase[]> {
  const { template } = readSentTemplate(content)
  const waiting = readSentCases(cases)
  const named = template.execute.steps.flatMap(({ testName }) => (testName === null ? [] : [testName]))
  const templates = new Map([...(await templatesOf(store, named)), [template.id, template]])
  return slots.run(() =>
    withCallbacks(async (shared) => {
      const endMs = nowMs() + LIMIT_MS
      const results: TriedCase[] = []
      for (const one of waiting) {
        const { name, expect: expected } = one
        if (nowMs() > endMs) {
          const story = `The cases before it took longer than ${LIMIT_MS / 1000} seconds.`
          results.push({ name, expected, got: 'not run', story })
          continue
        }
        const { got, story } = await resultOf({ template, one }, { ...shared, templates })
        results.push({ name, expected, got, story })
      }
      return results
    }),
  )
}

/** @throws Failure INVALID_TEST_CASES */
export function readSentCases(text: string): readonly TemplateCase[] {
  try {
    const cases = readCases(text)
    requireSize(cases)
    return cases
  } catch (error) {
    throw new Failure('INVALID_TEST_CASES', { problem: (error as Error).message }, { cause: error })
  }
}

/** @throws Error for more than may run in the thread that test runs share */
function requireSize(cases: readonly TemplateCase[]): void {
  if (cases.length > MAX_CASES) throw new Error(`there are more than ${MAX_CASES}`)
  for (const { name, sample, answers } of cases) {
    if (answers.length > MAX_RULES) throw new Error(`case "${name}" has more than ${MAX_RULES} answers`)
    const recorded = placeholdersIn([...flat(sample.responseHeaders), String(sample.response ?? '')])
    if (answers.some((rule) => placeholdersOf(rule, recorded) > MAX_PLACEHOLDERS))
      throw new Error(`case "${name}" has an answer with more than ${MAX_PLACEHOLDERS} placeholders`)
  }
}

/** @param recorded placeholders of the recorded response, which a rule for the sample may answer with */
function placeholdersOf({ when, calls, echo, headers, body }: AnswerRule, recorded: number): number {
  const called = placeholdersIn([String(calls ?? '')])
  if (echo !== true) return called
  return called + placeholdersIn([...flat(headers), String(body ?? '')]) + (when === 'sample' ? recorded : 0)
}
