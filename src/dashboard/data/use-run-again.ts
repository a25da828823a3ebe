import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestBodyOf } from '../../contract/browser.ts'
import { client } from './client.ts'

/** What startTest takes for its own run: once, now, with the usual limits. */
export const plainRun: RequestBodyOf<'startTest'> = {
  type: 'CUSTOM',
  selectedTests: [],
  testName: '',
  source: 'TESTING_UI',
  startTimestamp: 0,
  recurringDaily: false,
  recurringWeekly: false,
  recurringMonthly: false,
  continuousTesting: false,
  testRunTime: -1,
  maxConcurrentRequests: -1,
  overriddenTestAppUrl: '',
  testRoleId: '',
  cleanUpTestingResources: true,
  autoTicketingDetails: '',
  sendSlackAlert: false,
  sendMsTeamsAlert: false,
}

/** Schedules an existing run once more, by its id. The server reads nothing else then. */
export function useRunAgain() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (testingRunHexId: string) => client.call('startTest', { ...plainRun, testingRunHexId }),
    onSuccess: () => queries.invalidateQueries(),
  })
}
