import type { testStates } from '../../../contract/browser.ts'
import { type PlainKey, t } from '../../i18n/translate.ts'

type TestState = (typeof testStates)[number]

const words: Readonly<Record<TestState, PlainKey>> = {
  TESTED: 'testState.tested',
  OUTDATED: 'testState.outdated',
  OUT_OF_SCOPE: 'testState.outOfScope',
  NOT_VERIFIED: 'testState.notVerified',
  NEEDS_CONFIGURATION: 'testState.needsConfiguration',
  SKIPPED: 'testState.skipped',
  NEVER_RUN: 'testState.neverRun',
}

/** Whether an endpoint was tested and why not, as people say it. */
export function testStateWord(state: TestState): string {
  return t(words[state])
}
