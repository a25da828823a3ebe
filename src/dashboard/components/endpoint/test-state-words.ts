import type { testStates } from '../../../contract/browser.ts'

/** Whether an endpoint was tested and why not, as people say it. */
export const testStateWords: Readonly<Record<(typeof testStates)[number], string>> = {
  TESTED: 'Tested in the last 30 days',
  OUTDATED: 'Not tested for 30 days',
  OUT_OF_SCOPE: 'Collection out of testing scope',
  NOT_VERIFIED: 'Requests failed',
  NEEDS_CONFIGURATION: 'Credentials or settings missing',
  SKIPPED: 'No test applied',
  NEVER_RUN: 'Not part of any run',
}
