import type { EndpointKey, RequestBodyOf } from '../../../contract/browser.ts'
import { secondsOf, shownZone } from '../../data/time-zone.ts'
import { plainRun } from '../../data/use-run-again.ts'

type StartRequest = RequestBodyOf<'startTest'>

/** What the tests may write. */
export type WriteLevel = NonNullable<StartRequest['writeLevel']>

/** When a run starts, and whether it repeats. */
export type Rhythm = 'once' | 'daily' | 'weekly' | 'monthly' | 'continuous'

/** What is chosen on the page of a new run. */
export interface RunPlan {
  readonly name: string
  /** Collections and groups; not read when endpoints are chosen. */
  readonly collectionIds: readonly number[]
  /** Endpoints; empty for whole collections. */
  readonly endpoints: readonly EndpointKey[]
  readonly testIds: ReadonlySet<string>
  /** Suites, whose tests replace the chosen ones. */
  readonly suiteIds: readonly string[]
  readonly rhythm: Rhythm
  /** Date and time in `timeZone`, as its field has it; empty for now. */
  readonly starts: string
  /** In which a repeating run keeps its time of day. */
  readonly timeZone: string
  /** Identifier of the role under test; empty for the recorded callers. */
  readonly roleId: string
  /** Seconds; -1 for the default. */
  readonly runSeconds: number
  /** -1 for the default. */
  readonly concurrency: number
  readonly overrideUrl: string
  readonly slack: boolean
  /** Identifier of the chat webhook; 0 for the first. */
  readonly slackWebhook: number
  readonly teams: boolean
  readonly keepsIssuesOpen: boolean
  /** Project that tickets are made in; empty for none. */
  readonly ticketProject: string
  readonly ticketSeverities: readonly string[]
  /** Undo what the tests write. */
  readonly cleansUp: boolean
  readonly writeLevel: WriteLevel
}

/** Nothing chosen yet. */
export const emptyPlan: RunPlan = {
  name: '',
  collectionIds: [],
  endpoints: [],
  testIds: new Set(),
  suiteIds: [],
  rhythm: 'once',
  starts: '',
  timeZone: shownZone,
  roleId: '',
  runSeconds: -1,
  concurrency: -1,
  overrideUrl: '',
  slack: false,
  slackWebhook: 0,
  teams: false,
  keepsIssuesOpen: false,
  ticketProject: '',
  ticketSeverities: ['CRITICAL', 'HIGH'],
  cleansUp: true,
  writeLevel: 'REVERSIBLE',
}

function targetOf({ endpoints, collectionIds }: RunPlan): Partial<StartRequest> & { type: string } {
  if (endpoints.length > 0) return { type: 'CUSTOM', apiInfoKeyList: [...endpoints] }
  const [only] = collectionIds
  return collectionIds.length === 1 && only !== undefined
    ? { type: 'COLLECTION_WISE', apiCollectionId: only }
    : { type: 'MULTI_COLLECTION', apiCollectionIds: [...collectionIds] }
}

function ticketingOf({ ticketProject, ticketSeverities }: RunPlan): StartRequest['autoTicketingDetails'] {
  const projectId = ticketProject.trim()
  if (projectId === '') return ''
  return { shouldCreateTickets: true, projectId, severities: [...ticketSeverities], issueType: '' }
}

/** Whether runs come back by the calendar. */
export function isCalendar(rhythm: Rhythm): boolean {
  return rhythm !== 'once' && rhythm !== 'continuous'
}

/** The request that starts what was planned. */
export function startRequest(plan: RunPlan): StartRequest {
  return {
    ...plainRun,
    ...targetOf(plan),
    testName: plan.name.trim(),
    selectedTests: [...plan.testIds],
    testSuiteIds: [...plan.suiteIds],
    startTimestamp: secondsOf(plan.starts, plan.timeZone),
    scheduleTimeZone: isCalendar(plan.rhythm) ? plan.timeZone : '',
    recurringDaily: plan.rhythm === 'daily',
    recurringWeekly: plan.rhythm === 'weekly',
    recurringMonthly: plan.rhythm === 'monthly',
    continuousTesting: plan.rhythm === 'continuous',
    testRoleId: plan.roleId,
    testRunTime: plan.runSeconds,
    maxConcurrentRequests: plan.concurrency,
    overriddenTestAppUrl: plan.overrideUrl.trim(),
    sendSlackAlert: plan.slack,
    selectedSlackWebhook: plan.slackWebhook,
    sendMsTeamsAlert: plan.teams,
    doNotMarkIssuesAsFixed: plan.keepsIssuesOpen,
    autoTicketingDetails: ticketingOf(plan),
    cleanUpTestingResources: plan.cleansUp,
    writeLevel: plan.writeLevel,
  }
}

/** The request that finds out what a plan would send. */
export function dryRunRequest(plan: RunPlan): RequestBodyOf<'dryRunTest'> {
  return {
    ...targetOf(plan),
    selectedTests: [...plan.testIds],
    testSuiteIds: [...plan.suiteIds],
    testRoleId: plan.roleId,
    overriddenTestAppUrl: plan.overrideUrl.trim(),
    maxConcurrentRequests: plan.concurrency,
    cleanUpTestingResources: plan.cleansUp,
    writeLevel: plan.writeLevel,
  }
}

/** What keeps a plan from being started, each as a sentence; empty when it can start. */
export function obstacles(plan: RunPlan): string[] {
  const list: string[] = []
  if (plan.endpoints.length === 0 && plan.collectionIds.length === 0) list.push('Choose what is tested.')
  if (plan.testIds.size === 0 && plan.suiteIds.length === 0) list.push('Choose at least one test.')
  const url = plan.overrideUrl.trim()
  if (url !== '' && !/^https?:\/\/[^\s/]+/i.test(url)) {
    list.push('The other target must be a URL that starts with http:// or https://.')
  }
  return list
}
