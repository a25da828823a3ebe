import type { webhookOptions } from '../../../../contract/browser.ts'

/** What a channel can hear of. */
export const eventWords: Record<(typeof webhookOptions)[number], string> = {
  TESTING_RUN_RESULTS: 'every run that ends',
  NEW_ISSUES: 'new issues',
  NEW_THREATS: 'new malicious events',
  ACTOR_STATUS: 'threat actors that are blocked or let go',
}

/** Trackers as people call them. */
export const trackerWords = { GITHUB: 'GitHub Issues', JIRA: 'Jira' } as const
