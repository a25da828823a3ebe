import type { Static } from 'typebox'
import { absentable, anything, epochSeconds, flag, integer, model, nullable, oneOf, text } from '../schema.ts'
import { crawlStatuses } from '../vocabulary.ts'

const sentAs = (description: string) => nullable(text({ description }))

/** Why a crawl ended, in the words of its engine. */
export const crawlEnds = ['finished', 'saturated', 'budget', 'stopped', 'failed'] as const

export const crawlerRun = model('CrawlerRun', 'A crawl. The credentials of its start are never shown.', {
  crawlId: text({ description: 'UUID.' }),
  hostname: text({ description: 'Full URL it starts from.' }),
  startedBy: text({ description: 'E-mail address.' }),
  startTimestamp: epochSeconds('When it was created, then when it began to run.'),
  endTimestamp: epochSeconds('When it ended; 0 before.'),
  status: nullable(oneOf(crawlStatuses, { description: 'Null for runs of old versions.' })),
  moduleName: text({ description: 'The module that crawls.' }),
  collectionId: integer({ description: 'The collection that receives what is found.' }),
  crawlingTime: integer({ description: 'Time budget in seconds.' }),
  runTestAfterCrawling: flag(),
  errorMessage: sentAs('Why it failed, or a note on its end.'),
  outScopeUrls: sentAs('As outscopeUrls of its start.'),
  urlTemplatePatterns: sentAs('As sent at its start.'),
  applicationPages: sentAs('As sent at its start.'),
  testRoleHexId: sentAs('Test role it signs in as.'),
  testRoleFailed: flag({ description: 'Logging in as the role failed; the crawl continues without.' }),
  testRoleError: sentAs('Why signing in failed.'),
  selectedMiniTestingService: sentAs('Executor of the tests that follow.'),
})

export const crawlerUrl = model('CrawlerUrl', 'A URL that a crawl found.', {
  url: text(),
  crawlId: text({ description: 'UUID of the crawl.' }),
  accepted: flag({ description: 'In scope and followed.' }),
  timestamp: epochSeconds('When it was found.'),
  sourceUrl: sentAs('The page it was found on.'),
  sourceXpath: sentAs('Where on that page.'),
  buttonText: sentAs('Text of what was clicked.'),
})

export const crawlerModule = model('CrawlerModule', 'An external crawler module that answered lately.', {
  name: text({ description: 'Name, as selectedModuleName takes it.' }),
  displayName: text(),
  lastHeartbeat: epochSeconds('When it last answered.'),
  isDefault: flag({ description: 'To be preselected.' }),
})

export const crawlerModuleInfo = model('CrawlerModuleInfo', 'An outside crawler module.', {
  id: text({ minLength: 1, maxLength: 200, description: 'Its identifier, another for each process.' }),
  moduleType: text({ minLength: 1, maxLength: 100, description: 'DAST for a crawler.' }),
  name: text({ minLength: 1, maxLength: 200, description: 'Name that crawls choose it by.' }),
  currentVersion: absentable(nullable(text({ maxLength: 100 }))),
  startedTs: epochSeconds('When it started.'),
  lastHeartbeatReceived: absentable(nullable(epochSeconds('By the clock of the server.'))),
  additionalData: absentable(anything({ description: 'Read by nobody, and not kept.' })),
  reboot: absentable(flag({ description: 'In the answer: start again.' })),
  deleteTopicAndReboot: absentable(
    flag({ description: 'In the answer: false, for modules of other kinds.' }),
  ),
  miniRuntimeName: absentable(nullable(text({ maxLength: 200, description: 'In the answer: null.' }))),
})

export type CrawlerRun = Static<typeof crawlerRun>
export type CrawlerUrl = Static<typeof crawlerUrl>
