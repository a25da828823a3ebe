import { crawlerBatchItems, crawlerFrameLength, crawlerMessageLength, learnedFactItems } from '../limits.ts'
import { group, none, operation, root } from '../operation.ts'
import { crawlEnds, crawlerModuleInfo } from '../records/crawl.ts'
import {
  crawlerJob,
  crawlFact,
  crawlStep,
  crawlWorkItem,
  leasedCrawlWork,
  sentLog,
} from '../records/crawl-work.ts'
import { optional, required } from '../request-field.ts'
import {
  count,
  decimal,
  document,
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
import { crawlStatuses, crawlWorkKinds, reportedCrawlStatuses } from '../vocabulary.ts'
import {
  exampleCrawlId,
  exampleCrawlUrl,
  exampleFact,
  exampleJob,
  exampleModuleInfo,
  exampleSample,
  exampleStep,
  exampleWork,
} from './crawler-examples.ts'

const call = {
  inSpecification: false,
  specified: 'full',
  role: 'MEMBER',
  access: 'write',
  idempotent: false,
} as const

const crawlId = required(text(), 'The crawl; not empty.')
const batchOf = (what: string) => `At most ${crawlerBatchItems} ${what}.`

const pendingJobs = {
  ...call,
  description:
    'A list of one crawl or none: the oldest that waits for the module of this name, or one that it broke off. It is then held for five minutes; heartbeats, checkCrawlStatus and syncCrawlWork renew that, and afterwards it is given out again. A module has one crawl at a time. A process of that name beside the one that has the crawl joins it with worker. For a test role with a recorded login the server plays it and gives the cookies; until it ended the list is empty.',
  request: {
    moduleName: required(text(), 'Name of the module, as its heartbeat tells it.'),
    playsRecordings: optional(flag(), 'The module replays recordedFlow itself; cookies are null then.', {
      default: false,
    }),
    worker: optional(
      text({ minLength: 8, maxLength: 100 }),
      'Fresh identifier. With it the process may work along on a crawl that another process of this name has, as long as there is work for both and VIGIL_CRAWL_WORKERS allows it; helperOf in the job says so.',
    ),
  },
  answer: root(list(crawlerJob)),
  errors: ['MODULE_OF_ANOTHER'],
  example: { request: { moduleName: 'staging-01' }, response: [exampleJob] },
} as const

const statusReport = {
  ...call,
  request: {
    crawlId,
    status: required(text(), reportedCrawlStatuses.join(', ')),
    errorMessage: optional(text(), 'Kept with FAILED only, cut at 2000 characters.'),
    end: optional(oneOf(crawlEnds), 'Why it ended, for fetchCrawlerRun; not with RUNNING.'),
  },
  answer: none,
  errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND', 'INVALID_CRAWL_STATUS'],
  example: { request: { crawlId: exampleCrawlId, status: 'RUNNING' } },
} as const

/** What outside crawler modules call, by wire names. */
export const crawlerModuleOperations = group('crawler', {
  updateModuleInfoForHeartbeat: operation({
    ...call,
    summary: 'Tells that an outside crawler module is alive',
    description:
      'Due every 60 seconds; fetchAvailableDastModules lists modules of type DAST that were heard within five minutes. lastHeartbeatReceived becomes the time of the call. reboot in the answer asks the module to start again, once. Crawls that this process has stay its own.',
    request: { moduleInfo: required(crawlerModuleInfo, 'The module.') },
    answer: root(model('CrawlerHeartbeat', 'The module as it is kept.', { moduleInfo: crawlerModuleInfo })),
    errors: ['MODULE_OF_ANOTHER'],
    idempotent: true,
    example: { request: { moduleInfo: exampleModuleInfo }, response: { moduleInfo: exampleModuleInfo } },
  }),

  fetchPendingDastJobs: operation({ ...pendingJobs, summary: 'Gives a module its next crawl' }),

  fetchPendingDastJobsV2: operation({
    ...pendingJobs,
    summary: 'Gives a module its next crawl (second name)',
  }),

  updateDastJobStatus: operation({
    ...statusReport,
    summary: 'Reports the state of a crawl (old name)',
    description: 'As updateCrawlerStatus.',
  }),

  checkCrawlStatus: operation({
    ...call,
    summary: 'Says whether a crawl is to go on',
    description:
      'Due every few seconds while crawling. STOP_REQUESTED: finish the page in work and report STOPPED. null: there is no such crawl. isWatched: somebody looks at the crawl, so pictures are welcome. Modules that resume send activeSeconds, and then hold the crawl for one minute instead of five.',
    request: {
      crawlId,
      activeSeconds: optional(decimal({ minimum: 0 }), 'Time worked so far, by all processes.'),
      worker: optional(
        text(),
        'Identifier of a process that joined; STOP_REQUESTED: it ends what it has in hand, delivers it and leaves.',
      ),
      isEnding: optional(
        flag(),
        'The lease owner is done: processes that joined leave. Until workers is 1.',
        {
          default: false,
        },
      ),
    },
    answer: root(
      model('CrawlCheck', 'What is to become of a crawl.', {
        status: nullable(oneOf(crawlStatuses)),
        isWatched: flag(),
        workers: count('Processes on the crawl; 0 when the caller does not belong to it any more.'),
      }),
    ),
    errors: ['CRAWL_ID_REQUIRED'],
    idempotent: true,
    example: {
      request: { crawlId: exampleCrawlId },
      response: { status: 'RUNNING', isWatched: false, workers: 1 },
    },
  }),

  insertDastLog: operation({
    ...call,
    summary: 'Keeps a line that a module tells',
    description: 'The newest 10,000 lines of a crawl are kept; a line without crawlId belongs to no crawl.',
    request: {
      log: required(sentLog, 'The line.'),
      crawlId: optional(text(), 'The crawl it is about.'),
    },
    answer: none,
    errors: [],
    example: { request: { log: { log: 'Chromium started', key: 'INFO', timestamp: 1769854510 } } },
  }),

  saveCrawlerUrlsBatch: operation({
    ...call,
    summary: 'Records many URLs that a crawl found',
    description: `As saveCrawlerUrl for each; all of them or none. ${batchOf('URLs')} An item may also carry reason and origin.`,
    request: {
      crawlId,
      crawlUrlsBatch: required(document(), 'JSON text of a list of crawler URLs.'),
    },
    answer: none,
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND', 'CRAWL_BATCH_INVALID'],
    idempotent: true,
    example: { request: { crawlId: exampleCrawlId, crawlUrlsBatch: JSON.stringify([exampleCrawlUrl]) } },
  }),

  uploadCrawlerDataBatch: operation({
    ...call,
    summary: 'Feeds many exchanges that a crawler captured',
    description: `Like uploadCrawlerData for each, in order. Responds once all are committed. Entries that are not sample messages are reported by index and do not affect the others. ${batchOf('messages')}`,
    request: {
      apiCollectionId: required(integer(), 'The collection.', { alsoString: true }),
      crawlerDataList: required(
        list(document(), { maxItems: crawlerBatchItems }),
        `JSON texts of sample messages of at most ${crawlerMessageLength} characters.`,
      ),
      crawlId: optional(text(), 'The crawl that captured them.'),
    },
    answer: root(
      model('CrawlerUpload', 'What became of a batch.', {
        accepted: count('Taken over, repetitions among them.'),
        rejected: list(
          model('RejectedCrawlerData', 'A message that was not taken.', {
            index: integer({ description: 'Its place in the list.' }),
            reason: text(),
          }),
        ),
      }),
    ),
    bodyLimit: 'import',
    errors: ['API_COLLECTION_NOT_FOUND', 'DEACTIVATED_COLLECTION'],
    example: {
      request: { apiCollectionId: '1679459648', crawlerDataList: [exampleSample] },
      response: { accepted: 1, rejected: [] },
    },
  }),

  uploadCrawlerFrame: operation({
    ...call,
    summary: 'Shows what a crawl looks at',
    description: 'Only the latest picture is kept, while somebody watches and the crawl runs.',
    request: {
      crawlId: required(text(), 'The crawl.', { refusal: 'CRAWL_FRAME_REQUIRED' }),
      frameData: required(text({ maxLength: crawlerFrameLength }), 'JPEG in base64.', {
        refusal: 'CRAWL_FRAME_REQUIRED',
      }),
      currentUrl: optional(text(), 'The page.'),
      timestamp: optional(epochSeconds(), 'Read by nobody: the time of the call counts.'),
    },
    answer: none,
    errors: ['CRAWL_FRAME_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: {
      request: {
        crawlId: exampleCrawlId,
        frameData: '/9j/2Q==',
        currentUrl: 'https://shop.test/',
        timestamp: 1769854510,
      },
    },
  }),

  uploadCrawlerGraph: operation({
    ...call,
    summary: 'Keeps the navigation graph of a crawl',
    description:
      'Steps are added to those that are there; graph is Mermaid text of a module that has no steps, and replaces such a text.',
    request: {
      crawlId,
      graph: optional(text({ maxLength: 1024 * 1024 }), 'Mermaid text.'),
      steps: optional(list(crawlStep, { maxItems: crawlerBatchItems }), batchOf('steps')),
    },
    answer: none,
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: { crawlId: exampleCrawlId, steps: [exampleStep] } },
  }),

  syncCrawlWork: operation({
    ...call,
    summary: 'Adds, takes and ends pieces of work of a crawl',
    description: `What is left of a crawl is kept by the server, so that another process can go on. In order: releaseAll, done, failed, putBack, renewed, added, then an item of the kind in take is given out for 60 seconds. ${batchOf('items each')}`,
    request: {
      crawlId,
      added: optional(
        list(crawlWorkItem, { maxItems: crawlerBatchItems }),
        'A key that was ever added is passed over.',
      ),
      take: optional(oneOf(crawlWorkKinds), 'Kind of the item to give out; null for none.'),
      worker: optional(text(), 'Identifier of a process that joined; null for the lease owner.'),
      idle: optional(flag(), 'With worker: nothing is left that it could do, or there is again.'),
      alone: optional(flag(), 'It cannot be worked on by two: others leave, and nobody joins any more.', {
        default: false,
      }),
      leaves: optional(flag(), 'With worker: it is gone, and what it had in work is free.', {
        default: false,
      }),
      releaseAll: optional(
        flag(),
        'Free everything in work: the process of the module that had it has died.',
        { default: false },
      ),
      renewed: optional(list(text(), { maxItems: crawlerBatchItems }), 'Ids of items still in work.'),
      done: optional(list(text(), { maxItems: crawlerBatchItems }), 'Ids.'),
      putBack: optional(
        list(
          model('CrawlWorkPutBack', 'A piece of work of which something is left.', {
            id: text(),
            priority: decimal(),
            payload: text({ maxLength: 65_536 }),
          }),
          { maxItems: crawlerBatchItems },
        ),
        'Freed with another priority and payload.',
      ),
      failed: optional(
        list(
          model('CrawlWorkFailure', 'A piece of work that failed; the second failure ends it.', {
            id: text(),
            reason: text({ maxLength: 2000 }),
          }),
          { maxItems: crawlerBatchItems },
        ),
        'Freed, or ended by its second failure.',
      ),
    },
    answer: root(
      model('CrawlWorkSync', 'What came of it.', {
        added: count('Items that were new.'),
        taken: nullable(leasedCrawlWork),
        triedAgain: list(text(), { description: 'Ids of failed items that will be given out again.' }),
        waiting: mapOf(count(), { description: 'Items that wait, by kind.' }),
        leased: count('Items in work.'),
        helpers: count('Other processes that joined and are not idle: they may still add items.'),
      }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId, take: 'load', done: ['17'] },
      response: {
        added: 0,
        taken: { ...exampleWork, id: '18', attempts: 0 },
        triedAgain: [],
        waiting: { load: 3, explore: 1, probe: 0 },
        leased: 1,
        helpers: 0,
      },
    },
  }),

  saveCrawlMemory: operation({
    ...call,
    summary: 'Keeps what the crawler learned about an application',
    description: 'One text for each crawl, replaced by the next one; removed when the crawl has ended.',
    request: { crawlId, memory: required(document({ maxLength: 1024 * 1024 }), 'JSON text.') },
    answer: none,
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: { crawlId: exampleCrawlId, memory: '{}' } },
  }),

  fetchCrawlMemory: operation({
    ...call,
    summary: 'Gives back what the crawler learned about an application',
    description: 'The text of saveCrawlMemory; null when there is none.',
    request: { crawlId },
    answer: root(
      model('CrawlMemory', 'What the crawler learned.', {
        memory: nullable(text({ description: 'JSON text.' })),
      }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: { crawlId: exampleCrawlId }, response: { memory: '{}' } },
  }),

  shareCrawlFacts: operation({
    ...call,
    summary: 'Shares what processes of one crawl learned',
    description:
      'Adds what the caller learned about the application, and gives what has changed since a revision, of everybody. Removed when the crawl has ended.',
    request: {
      crawlId,
      since: required(integer({ minimum: 0 }), 'Revision of the last answer; 0 for everything.'),
      facts: optional(list(crawlFact, { maxItems: learnedFactItems }), 'What is new.'),
    },
    answer: root(
      model('CrawlFacts', 'What a crawl has learned.', {
        revision: count('For the next call.'),
        facts: list(crawlFact, { description: 'As they stand.' }),
      }),
    ),
    bodyLimit: 'import',
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId, since: 0, facts: [exampleFact] },
      response: { revision: 1, facts: [exampleFact] },
    },
  }),

  takeCrawlCodeStep: operation({
    ...call,
    summary: 'Reserves a one-time code for a login',
    description:
      'Call it before a module types a one-time code (RFC 6238). No code works for two logins, so each login gets a separate time step; other crawls, test runs and uploaded flows with the same secret are included. The module waits for the step by its own clock.',
    request: {
      crawlId,
      digest: required(
        text({ pattern: '^[0-9a-f]{64}$' }),
        'Tells secrets apart: SHA-256 of the time step in seconds, a blank and the bytes of the secret, hexadecimal.',
      ),
      step: required(integer({ minimum: 0 }), 'The time step that is now, by the clock of the module.'),
    },
    answer: root(
      model('CrawlCodeStep', 'Whose code to type.', {
        step: count('The first time step from then on that nobody had.'),
      }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: {
        crawlId: exampleCrawlId,
        digest: '9f86d081884c7d659a2feaa0c55ad015'.repeat(2),
        step: 58_995_150,
      },
      response: { step: 58_995_151 },
    },
  }),

  reportCrawlLogin: operation({
    ...call,
    summary: 'Reports how the sign-in of a crawl ended',
    description:
      'A failure is kept with the crawl as testRoleFailed and testRoleError; it continues unauthenticated.',
    request: {
      crawlId,
      error: optional(
        text(),
        'Why it failed, without secrets; null when it went well. Cut at 2000 characters.',
      ),
      worker: optional(
        text(),
        'Identifier of a process that joined: its failure does not fail the crawl, which continues with one process.',
      ),
    },
    answer: none,
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: { crawlId: exampleCrawlId, error: 'The sign-in page has no password box' } },
  }),

  deleteModuleInfo: operation({
    ...call,
    summary: 'Forgets modules',
    description: 'A live module reappears with its next heartbeat. Ignores unknown ids.',
    request: {
      moduleIds: required(
        list(text(), { minItems: 1, maxItems: 1000 }),
        'Ids, as fetchModuleInfo lists them.',
      ),
    },
    answer: none,
    errors: ['MODULE_OF_ANOTHER'],
    idempotent: true,
    example: { request: { moduleIds: ['5d9c3c1e-2b60-4b6c-9a53-0d9a3f5f2c11'] } },
  }),

  rebootModules: operation({
    ...call,
    summary: 'Asks modules to start again',
    description: 'The answer to the next heartbeat of each says so, once. Unknown ids are passed over.',
    request: {
      moduleIds: required(
        list(text(), { minItems: 1, maxItems: 1000 }),
        'Ids, as fetchModuleInfo lists them.',
      ),
    },
    answer: none,
    errors: ['MODULE_OF_ANOTHER'],
    idempotent: true,
    example: { request: { moduleIds: ['5d9c3c1e-2b60-4b6c-9a53-0d9a3f5f2c11'] } },
  }),
})
