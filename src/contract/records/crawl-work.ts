import type { Static } from 'typebox'
import {
  absentable,
  count,
  decimal,
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  nullable,
  oneOf,
  text,
} from '../schema.ts'
import { crawlFactKinds, crawlStatuses, crawlWorkKinds, harmfulActionModes } from '../vocabulary.ts'

const sentAs = (description: string) => nullable(text({ description }))

export const crawlerJob = model(
  'CrawlerJob',
  'A crawl for the module that takes it, with its credentials. Nobody else is given these.',
  {
    crawlId: text({ description: 'UUID.' }),
    hostname: text({ description: 'Full URL to start from.' }),
    startedBy: text({ description: 'E-mail address.' }),
    startTimestamp: epochSeconds('When it was created or began.'),
    endTimestamp: epochSeconds('0.'),
    outScopeUrls: sentAs('What to leave out, separated by commas.'),
    urlTemplatePatterns: sentAs('Path patterns, separated by commas.'),
    applicationPages: sentAs('Pages to begin with, separated by commas.'),
    status: oneOf(crawlStatuses),
    moduleName: text(),
    username: sentAs('For the sign-in form; null when another way to sign in was chosen.'),
    password: sentAs('For the sign-in form.'),
    apiKey: sentAs('As sent at its start.'),
    isApiKeyForTarget: flag({
      description:
        'True: the key goes to the target as x-api-key. False: it is one of this installation, for calls back.',
    }),
    dashboardUrl: text({ description: 'Base URL for calls back.' }),
    collectionId: integer({ description: 'The collection that receives what is captured.' }),
    accountId: integer({ description: 'Always 1000000.' }),
    errorMessage: sentAs('Null.'),
    cookies: sentAs(
      'JSON text of a list of cookies that a recorded login left, or a bearer value; null without.',
    ),
    crawlingTime: integer({ description: 'Time budget in seconds.' }),
    customHeaders: mapOf(text(), { description: 'Headers for requests in scope.' }),
    runTestAfterCrawling: flag(),
    testRoleHexId: sentAs('Test role it signs in as.'),
    testRoleName: sentAs('Its name.'),
    harmfulActions: oneOf(harmfulActionModes),
    roleHeaders: mapOf(text(), { description: 'Headers that the test role puts on requests in scope.' }),
    recordedFlow: nullable(
      model('CrawlerRecordedFlow', 'A recorded login to be replayed.', {
        content: text({ description: 'JSON text as the recorder exports it.' }),
        tokenFetchCommand: text({ description: 'Expression that yields the token; empty without.' }),
        header: text({ description: 'Header that carries the token; empty for none.' }),
        prefix: text({ description: 'What stands before the token in it.' }),
      }),
    ),
    spentSeconds: decimal({ description: 'What earlier modules used of the budget.' }),
    helperOf: nullable(
      integer({
        description:
          'Processes on a crawl that this one joined, including itself; null for a crawl that it owns and must end.',
      }),
    ),
  },
)

export const crawlWorkItem = model('CrawlWorkItem', 'A piece of work of a crawl.', {
  kind: oneOf(crawlWorkKinds),
  key: text({ minLength: 1, maxLength: 2100, description: 'Unique within the crawl.' }),
  location: text({ maxLength: 2100, description: 'Group of alike pages.' }),
  priority: decimal({ description: 'Higher is sooner.' }),
  payload: text({ maxLength: 65_536, description: 'JSON text.' }),
})

export const crawlFact = model('CrawlFact', 'What a crawl learned of one thing.', {
  kind: oneOf(crawlFactKinds),
  key: text({ maxLength: 2400 }),
  value: integer({
    minimum: -1_000_000_000,
    maximum: 1_000_000_000,
    description:
      'As it stands, from 0. What is new: how much it grew; less than 0 for one that was set back, -1 for 0.',
  }),
  note: text({ maxLength: 2400, description: 'Whatever was said last; empty for nothing.' }),
})

export const leasedCrawlWork = model('LeasedCrawlWork', 'A piece of work that a module was given.', {
  id: text(),
  attempts: integer({ description: 'Times it was given out before.' }),
  kind: oneOf(crawlWorkKinds),
  key: text(),
  location: text(),
  priority: decimal(),
  payload: text(),
})

export const crawlStep = model('CrawlStep', 'A way from one state of a page to another.', {
  from: text({ maxLength: 2200, description: 'State it starts from; empty at the start.' }),
  to: text({ maxLength: 2200 }),
  fromUrl: text({ maxLength: 8192 }),
  toUrl: text({ maxLength: 8192 }),
  action: text({ maxLength: 100, description: 'load, click, submit …' }),
  xpath: text({ maxLength: 8192, description: 'The element; empty for a load.' }),
  text: text({ maxLength: 500, description: 'What stands on the element.' }),
  calls: list(text({ maxLength: 8192 }), { maxItems: 50, description: 'Requests it made: method and URL.' }),
})

export const crawledUrl = model('CrawledUrl', 'A URL that a crawl found, with the reason it was left out.', {
  url: text(),
  accepted: flag({ description: 'In scope and followed.' }),
  reason: text({ description: 'Why not; empty when accepted.' }),
  origin: text({ description: 'How it was found: start, link, action, script, robots …' }),
  timestamp: epochSeconds('When it was found.'),
  sourceUrl: text({ description: 'The page it was found on.' }),
  sourceXpath: text({ description: 'Where on that page.' }),
  buttonText: text({ description: 'Text of what was clicked.' }),
})

export const crawlSummary = model(
  'CrawlSummary',
  'What a crawl covered, what it left out and why, and what to do.',
  {
    seen: count('Kinds of requests (method and path template) that pages sent or that were answered.'),
    held: count('Kinds among them that were recorded and not sent, because they may change something.'),
    named: count('Operations that scripts or documents of the application name.'),
    unreached: list(text({ maxLength: 1000 }), {
      maxItems: 200,
      description: 'Those of them that were not reached: method, host and path template.',
    }),
    leftOut: list(
      model('CrawlLeftOut', 'What was left out for one reason.', {
        reason: text({ maxLength: 500 }),
        count: count('How much of it.'),
        examples: list(text({ maxLength: 1000 }), { maxItems: 5 }),
      }),
      { maxItems: 40 },
    ),
    waiting: mapOf(count(), { description: 'Work that waited when it ended, by kind.' }),
    advice: list(text({ maxLength: 1000 }), { maxItems: 10, description: 'What to do, as sentences.' }),
  },
)

const crawlCoverage = model('CrawlCoverage', 'Documented operations met since the crawl began.', {
  documented: count('Operations that documents of the collection describe.'),
  reached: count('Those of them with traffic since the crawl began.'),
  missing: list(text(), { description: 'The others: method and path, at most 200.' }),
})

export const crawlProgress = model('CrawlProgress', 'How far a crawl is.', {
  activeSeconds: decimal({ description: 'Time worked; waiting for a module does not count.' }),
  acceptedUrls: count('URLs in scope.'),
  rejectedUrls: count('URLs left out.'),
  capturedExchanges: count('Captured requests that were handed to the inventory.'),
  steps: count('Steps of the navigation graph.'),
  waiting: mapOf(count(), { description: 'Work that waits, by kind.' }),
  done: count('Work that is done.'),
  givenUp: count('Work that failed twice.'),
  restarts: count('Times it was taken up again after its module broke off.'),
  workers: count('Processes that work on it now.'),
  harmfulActions: oneOf(harmfulActionModes),
  end: sentAs('Why it ended: finished, saturated, budget, stopped, failed.'),
  summary: nullable(crawlSummary),
  coverage: nullable(crawlCoverage),
})

export const crawlLogLine = model('CrawlLogLine', 'A line of the log of a crawl.', {
  timestamp: epochSeconds(),
  level: oneOf(['info', 'warning'] as const),
  log: text(),
})

/** What a list of modules keeps of one. */
export const sentLog = model('DastLog', 'A line that a module tells.', {
  log: text({ maxLength: 10_000 }),
  key: absentable(nullable(text({ maxLength: 200, description: 'Level or topic.' }))),
  timestamp: absentable(nullable(epochSeconds('Null for now.'))),
})

export type CrawlerJob = Static<typeof crawlerJob>
export type CrawlStep = Static<typeof crawlStep>
export type CrawledUrl = Static<typeof crawledUrl>
export type CrawlSummary = Static<typeof crawlSummary>
export type CrawlCoverage = Static<typeof crawlCoverage>
export type CrawlProgress = Static<typeof crawlProgress>
