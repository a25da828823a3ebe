import { runConcurrency, runSeconds } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import {
  changeRun,
  findRun,
  type RunChange,
  type RunView,
  runOfConfiguration,
  unmaskRequestChanges,
} from '../../../testing/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'
import { requireOwnRun } from './own-run.ts'
import { readRequestChanges } from './read-request-changes.ts'
import { readTicketing } from './read-ticketing.ts'
import { periodOf, type Recurrences, readOverride, readRole, readTimeZone } from './run-limits.ts'
import { wireRun } from './wire-run.ts'

type Edited = Parameters<Handler<'modifyTestingRunConfig'>>[0]['editableTestingRunConfig']

/** Changes what a run executes, when, and with which limits. */
export const modifyTestingRunConfig: Handler<'modifyTestingRunConfig'> = async (input, call) => {
  const { app, caller } = call
  const edited = input.editableTestingRunConfig
  const runId = await runOfConfiguration(app.store, input.testingRunConfigId, caller.collectionIds)
  if (runId === undefined) throw new Failure('RUN_CONFIG_NOT_FOUND', {})
  if (edited.testingRunHexId && edited.testingRunHexId.toLowerCase() !== runId)
    throw new Failure('INVALID_TEST_RUN_ID', {})
  const run = (await findRun(app.store, runId, caller.collectionIds))!
  requireOwnRun(caller, run)
  await changeRun(app.store, runId, {
    ...(await readChange(edited, run, call)),
    ...recurrence(edited, run.periodSeconds),
  })
  const changed = await findRun(app.store, runId, caller.collectionIds)
  return { ...(await liveFieldsOf(call)), testingRun: changed === undefined ? null : wireRun(changed) }
}

async function readChange(edited: Edited, run: RunView, call: Call): Promise<RunChange> {
  const { testRunTime, maxConcurrentRequests } = edited
  if (testRunTime && testRunTime > runSeconds.most) throw new Failure('RUN_TIME_TOO_LONG', {})
  if (maxConcurrentRequests && maxConcurrentRequests > runConcurrency.most)
    throw new Failure('RUN_CONCURRENCY_TOO_HIGH', {})
  return {
    configuration: await readConfiguration(edited, run, call),
    ...given('runSeconds', testRunTime),
    ...given('maxConcurrent', maxConcurrentRequests),
    ...given('sendsSlack', edited.sendSlackAlert),
    ...given('sendsTeams', edited.sendMsTeamsAlert),
    ...given('slackChannelId', edited.selectedSlackWebhook),
    ...given('keepsIssuesOpen', edited.doNotMarkIssuesAsFixed),
    ...given('scheduledAt', edited.scheduleTimestamp || null),
    ...given('timeZone', edited.scheduleTimeZone && readTimeZone(edited.scheduleTimeZone)),
  }
}

async function readConfiguration(
  edited: Edited,
  run: RunView,
  call: Call,
): Promise<RunChange['configuration']> {
  const { testSubCategoryList: tests, testSuiteIds: suites, autoTicketingDetails: ticketing } = edited
  const known = tests ? (await call.app.catalogue.byIds([...new Set(tests)])).map(({ id }) => id) : null
  if (known?.length === 0 && !suites?.length) throw new Failure('NO_TEST_SELECTED', {})
  const { testRoleId: role, overriddenTestAppUrl: target } = edited
  const changes = readRequestChanges(edited.configsAdvancedSettings)
  return {
    ...given('testIds', known),
    ...given('suiteIds', suites),
    ...(role === null || role === undefined ? {} : { roleId: await readRole(role, call) }),
    ...(target === null || target === undefined ? {} : { overrideUrl: readOverride(target) }),
    ...given(
      'requestChanges',
      changes && unmaskRequestChanges(changes, run.configuration.requestChanges ?? []),
    ),
    ...given('cleansUp', edited.cleanUp),
    ...given('writeLevel', edited.writeLevel),
    ...(ticketing === null || ticketing === undefined
      ? {}
      : { ticketing: await readTicketing(ticketing, call) }),
  }
}

/** How the run repeats, when any of the recurrences is given; the others then count as false. */
function recurrence(edited: Edited, period: number): Pick<RunChange, 'periodSeconds'> {
  const words = ['recurringDaily', 'recurringWeekly', 'recurringMonthly', 'continuousTesting'] as const
  if (words.every((word) => edited[word] === null || edited[word] === undefined)) return {}
  const sent = Object.fromEntries(
    words.map((word) => [word, edited[word] ?? false]),
  ) as unknown as Recurrences
  const next = periodOf(sent)
  return next === period ? {} : { periodSeconds: next }
}

/** The entry of a field that was given; nothing for null and absent ones. */
function given<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [N in Name]?: Value } {
  return (value === null || value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value }
}
