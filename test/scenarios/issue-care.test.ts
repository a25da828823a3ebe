import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExecution } from '../../src/testing/records/index.ts'
import type { PairResult } from '../../src/testing/run/pair-result.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines } from './ask.ts'

/** Ignoring for a time, undo, tags, comments, deadlines, saved views, and rules for false positives. */

const HOST = 'https://care.test'
let server: TestServer
let shop: number
let admin: TestPerson
let member: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  const names = ['orders', 'users', 'items', 'carts', 'bills', 'notes']
  const content = messageLines(names.map((name) => ({ path: `${HOST}/${name}` })))
  shop = (await ask(server, 'importTraffic', { apiCollectionName: 'shop', content })).apiCollectionId
})
afterAll(() => server.close())

const store = () => server.running.app.store

const finding = (path: string, given: Partial<PairResult> = {}) =>
  pairOf({ testId: 'BOLA_READ', severity: 'HIGH', url: `${HOST}/${path}`, collectionId: shop, ...given })

async function found(...pairs: PairResult[]): Promise<void> {
  const { summaryId } = await startedRun(store(), { collectionIds: [shop] })
  await report(store(), summaryId, pairs)
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
}

const idOf = (path: string, testSubCategory = 'BOLA_READ') => ({
  testSubCategory,
  testErrorSource: 'AUTOMATED_TESTING',
  apiInfoKey: { apiCollectionId: shop, method: 'GET' as const, url: `${HOST}/${path}` },
})

async function issueAt(path: string) {
  const [issue] = await ask(admin, 'fetchIssuesFromResultIds', {
    issueStatusQuery: ['OPEN', 'IGNORED', 'FIXED'],
    issuesIds: [idOf(path)],
  })
  return issue!
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

test('an issue that is ignored for a time opens again automatically, and its history says so', async () => {
  await found(finding('orders'))
  await ask(member, 'updateIssueStatus', {
    issueId: idOf('orders'),
    statusToBeUpdated: 'IGNORED',
    ignoreReason: 'Accepted risk',
    ignoreUntil: inAnHour(),
  })
  await server.running.app.testRuns.keepResults()
  expect(await issueAt('orders')).toMatchObject({
    testRunIssueStatus: 'IGNORED',
    ignoreReason: 'Accepted risk',
  })
  await store().pool.query('UPDATE issues SET ignored_until = 1 WHERE ignored_until > 0')
  await server.running.app.testRuns.keepResults()
  expect(await issueAt('orders')).toMatchObject({
    testRunIssueStatus: 'OPEN',
    ignoreReason: null,
    ignoredUntil: 0,
    unread: true,
  })
  const { issueHistory } = await ask(admin, 'fetchIssueHistory', { issueId: idOf('orders') })
  expect(issueHistory[0]).toMatchObject({ kind: 'STATUS', from: 'IGNORED', to: 'OPEN', actor: null })
  expect(issueHistory[0]!.note).toMatch(/is over/)
})

test('refuses to ignore until a time that has passed', async () => {
  await found(finding('orders'))
  const answer = await member.call('updateIssueStatus', {
    issueId: idOf('orders'),
    statusToBeUpdated: 'IGNORED',
    ignoreReason: 'x',
    ignoreUntil: 1000,
  })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toMatch(/must be in the future/)
})

test('a change of status is taken back with its reason, but only one of the same person', async () => {
  await found(finding('users'))
  const ignore = (status: string, why: string) =>
    ask(member, 'bulkUpdateIssueStatus', {
      issueIdArray: [idOf('users')],
      statusToBeUpdated: status as 'OPEN',
      ignoreReason: why,
    })
  await ignore('IGNORED', 'Accepted risk: internal only')
  await ignore('OPEN', '')
  expect(await ask(admin, 'undoIssueStatus', { issueIdArray: [idOf('users')] })).toEqual({ undoneCount: 0 })
  expect((await issueAt('users')).testRunIssueStatus).toBe('OPEN')
  expect(await ask(member, 'undoIssueStatus', { issueIdArray: [idOf('users')] })).toEqual({ undoneCount: 1 })
  expect(await issueAt('users')).toMatchObject({
    testRunIssueStatus: 'IGNORED',
    ignoreReason: 'Accepted risk: internal only',
  })
})

test('a change of severity is taken back, and runs set it again where no person had chosen it before', async () => {
  await found(finding('users'))
  const setSeverity = (severity: 'LOW' | 'CRITICAL') =>
    ask(member, 'bulkUpdateIssueSeverity', {
      issueIdArray: [idOf('users')],
      severityToBeUpdated: severity,
    })
  const undo = (person: TestPerson) => ask(person, 'undoIssueSeverity', { issueIdArray: [idOf('users')] })
  const severityAfterRun = async () => {
    await found(finding('users'))
    return (await issueAt('users')).severity
  }
  await setSeverity('LOW')
  expect(await severityAfterRun()).toBe('LOW')
  expect(await undo(admin)).toEqual({ undoneCount: 0 })
  expect(await undo(member)).toEqual({ undoneCount: 1 })
  expect((await issueAt('users')).severity).toBe('HIGH')
  const { issueHistory } = await ask(admin, 'fetchIssueHistory', { issueId: idOf('users') })
  expect(issueHistory[0]).toMatchObject({ kind: 'SEVERITY', from: 'LOW', to: 'HIGH', note: 'Undone' })
  // Nobody had chosen HIGH: a run that finds it to be worse says so.
  await found(finding('users', { severity: 'CRITICAL' }))
  expect((await issueAt('users')).severity).toBe('CRITICAL')
  // A choice before the one that is taken back stays a choice.
  await setSeverity('LOW')
  await setSeverity('CRITICAL')
  await undo(member)
  expect(await severityAfterRun()).toBe('LOW')
})

test('undo takes the last change back, and no older one of an issue that had the value already', async () => {
  await found(finding('orders'), finding('bills'))
  const issueIdArray = [idOf('orders'), idOf('bills')]
  const states = async () =>
    Promise.all(
      ['orders', 'bills'].map(async (path) => {
        const { severity, testRunIssueStatus } = await issueAt(path)
        return `${severity} ${testRunIssueStatus}`
      }),
    )
  const setSeverity = (severity: 'LOW' | 'HIGH', ids = issueIdArray) =>
    ask(member, 'bulkUpdateIssueSeverity', { issueIdArray: ids, severityToBeUpdated: severity })
  const setStatus = (status: 'OPEN' | 'FIXED', ids = issueIdArray) =>
    ask(member, 'bulkUpdateIssueStatus', { issueIdArray: ids, statusToBeUpdated: status, ignoreReason: '' })
  await setStatus('OPEN')

  await setSeverity('LOW', [idOf('orders')])
  await setSeverity('LOW')
  expect(await ask(member, 'undoIssueSeverity', { issueIdArray })).toEqual({ undoneCount: 1 })
  expect(await states()).toEqual(['LOW OPEN', 'HIGH OPEN'])
  // The choice of the severity that runs had given is a change, and goes with the undo.
  await setSeverity('HIGH', [idOf('bills')])
  expect(await ask(member, 'undoIssueSeverity', { issueIdArray: [idOf('bills')] })).toEqual({
    undoneCount: 1,
  })
  await found(finding('bills', { severity: 'CRITICAL' }))
  expect(await states()).toEqual(['LOW OPEN', 'CRITICAL OPEN'])

  await setStatus('FIXED', [idOf('orders')])
  await setStatus('FIXED')
  expect(await ask(member, 'undoIssueStatus', { issueIdArray })).toEqual({ undoneCount: 1 })
  expect(await states()).toEqual(['LOW FIXED', 'CRITICAL OPEN'])
  await setStatus('OPEN')
})

test('a change in bulk tells how many issues it changed, so that none is undone where there were none', async () => {
  await found(finding('notes'))
  const issueIdArray = [idOf('notes')]
  const severity = () => ask(member, 'bulkUpdateIssueSeverity', { issueIdArray, severityToBeUpdated: 'LOW' })
  expect(await severity()).toMatchObject({ changedCount: 1 })
  expect(await severity()).toMatchObject({ changedCount: 0 })
  const status = () =>
    ask(member, 'bulkUpdateIssueStatus', {
      issueIdArray: [...issueIdArray, idOf('users')],
      statusToBeUpdated: 'IGNORED',
      ignoreReason: 'Accepted risk',
    })
  expect(await status()).toMatchObject({ changedCount: 2 })
  expect(await status()).toMatchObject({ changedCount: 0 })
  await ask(member, 'undoIssueStatus', { issueIdArray: [...issueIdArray, idOf('users')] })
})

test('undo restores until when and by which rule an issue was ignored', async () => {
  await found(finding('items'), finding('carts'))
  const setStatus = (path: string, status: 'OPEN' | 'IGNORED', more = {}) =>
    ask(member, 'updateIssueStatus', {
      issueId: idOf(path),
      statusToBeUpdated: status,
      ignoreReason: '',
      ...more,
    })
  const undo = (path: string) => ask(member, 'undoIssueStatus', { issueIdArray: [idOf(path)] })

  const ignoreUntil = inAnHour()
  await setStatus('items', 'IGNORED', { ignoreReason: 'Fix is planned', ignoreUntil })
  const forATime = {
    testRunIssueStatus: 'IGNORED',
    ignoreReason: 'Fix is planned',
    ignoredUntil: ignoreUntil,
    falsePositiveRuleId: null,
  }
  expect(await issueAt('items')).toMatchObject(forATime)
  for (const round of ['first', 'again']) {
    if (round === 'first') await setStatus('items', 'OPEN')
    else await undo('items')
    expect(await issueAt('items'), round).toMatchObject({ testRunIssueStatus: 'OPEN', ignoredUntil: 0 })
    await undo('items')
    expect(await issueAt('items'), round).toMatchObject(forATime)
  }

  const { ruleId } = await ask(member, 'addFalsePositive', {
    issueId: idOf('carts'),
    scope: 'ENDPOINT',
    reason: 'Carts are public',
  })
  await setStatus('carts', 'OPEN')
  await undo('carts')
  const byRule = { testRunIssueStatus: 'IGNORED', ignoreReason: 'False positive: Carts are public' }
  expect(await issueAt('carts')).toMatchObject({ ...byRule, falsePositiveRuleId: ruleId })
  await ask(member, 'deleteFalsePositive', { ruleId })
  expect(await issueAt('carts')).toMatchObject({ testRunIssueStatus: 'OPEN', falsePositiveRuleId: null })
  await undo('carts')
  expect(await issueAt('carts')).toMatchObject({ ...byRule, falsePositiveRuleId: null })
  for (const path of ['items', 'carts']) await setStatus(path, 'OPEN')
})

test('tags are added, listed, filtered by and removed', async () => {
  await found(finding('items'), finding('users'))
  const issueIdArray = [idOf('items'), idOf('users')]
  await ask(member, 'tagIssues', { issueIdArray, addTags: ['payments', ' team-a '] })
  await ask(member, 'tagIssues', { issueIdArray: [idOf('users')], removeTags: ['payments'] })
  expect((await issueAt('items')).tags).toEqual(['payments', 'team-a'])
  expect((await issueAt('users')).tags).toEqual(['team-a'])
  expect((await ask(admin, 'fetchIssueTags', {})).tags).toEqual([
    { tag: 'payments', issues: 1 },
    { tag: 'team-a', issues: 2 },
  ])
  const { issueGroups } = await ask(admin, 'fetchIssueGroups', { filterTag: ['payments'] })
  expect(issueGroups.map(({ issue }) => issue.id.apiInfoKey.url)).toEqual([`${HOST}/items`])
})

test('a call that would give an issue more than 20 tags is refused with the limit, and changes no issue', async () => {
  await found(finding('notes'), finding('users'))
  const numbered = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `tag-${from + at}`)
  const tagsOf = async (path: string) => (await issueAt(path)).tags
  await ask(member, 'tagIssues', { issueIdArray: [idOf('notes')], addTags: numbered(10, 20) })
  const before = await tagsOf('users')
  const answer = await member.call('tagIssues', {
    issueIdArray: [idOf('users'), idOf('notes')],
    addTags: ['one-more'],
  })
  expect([answer.status, await answer.json()]).toEqual([
    422,
    {
      actionErrors: [`The issue at GET ${HOST}/notes would have more than 20 tags, so nothing was changed`],
    },
  ])
  expect(await tagsOf('users')).toEqual(before)
  expect(await tagsOf('notes')).toEqual(numbered(10, 20))
  // Merged issues may have more, and lose them all at once.
  await ask(member, 'tagIssues', { issueIdArray: [idOf('notes')], removeTags: numbered(1, 100) })
  expect(await tagsOf('notes')).toEqual([])
})

test('a comment is in the history with its author', async () => {
  await found(finding('carts'))
  await ask(member, 'commentIssue', { issueId: idOf('carts'), comment: 'Fixed in release 41.' })
  const { issueHistory } = await ask(admin, 'fetchIssueHistory', { issueId: idOf('carts') })
  expect(issueHistory[0]).toMatchObject({
    kind: 'COMMENT',
    note: 'Fixed in release 41.',
    actor: 'member@example.org',
  })
})

test('due dates follow the severity, and the list asks for what is overdue', async () => {
  await found(finding('bills', { testId: 'BOLA_UPDATE', severity: 'CRITICAL' }))
  expect((await member.call('updateIssueDeadlines', { deadlines: {} })).status).toBe(403)
  const deadlines = { CRITICAL: 7, HIGH: null, MEDIUM: 30, LOW: null }
  expect(await ask(admin, 'updateIssueDeadlines', { deadlines })).toEqual(deadlines)
  expect(await ask(member, 'fetchIssueDeadlines', {})).toEqual(deadlines)
  const overdueAt = async (moment: number) =>
    (await ask(admin, 'fetchIssueGroups', { dueBefore: moment })).issueGroups.map(({ issue }) => issue)
  const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400
  expect(await overdueAt(inDays(6))).toEqual([])
  const [due] = await overdueAt(inDays(8))
  expect(due!.id.apiInfoKey.url).toBe(`${HOST}/bills`)
  expect(due!.dueAt).toBe(due!.creationTime + 7 * 86_400)
})

test('saved views are shared, and only their author or an administrator deletes them', async () => {
  const { viewId } = await ask(member, 'saveView', { viewName: 'Mine', query: '?tag=payments&due=overdue' })
  const again = await ask(member, 'saveView', { viewName: 'Mine', query: 'tag=payments' })
  expect(again.viewId).toBe(viewId)
  const { savedViews } = await ask(admin, 'fetchSavedViews', {})
  expect(savedViews).toEqual([expect.objectContaining({ viewId, viewName: 'Mine', query: 'tag=payments' })])
  const other = await joinPerson(server, admin, 'other@example.org', 'MEMBER')
  expect((await other.call('deleteSavedView', { viewId })).status).toBe(422)
  await ask(admin, 'deleteSavedView', { viewId })
  expect((await ask(admin, 'fetchSavedViews', {})).savedViews).toEqual([])
})

test('a false positive becomes a rule that ignores, counts, widens and is removed', async () => {
  const test_ = { testId: 'BFLA_READ', severity: 'MEDIUM' } as const
  const issue = async (path: string) =>
    (
      await ask(admin, 'fetchIssuesFromResultIds', {
        issueStatusQuery: ['OPEN', 'IGNORED', 'FIXED'],
        issuesIds: [idOf(path, 'BFLA_READ')],
      })
    )[0]!
  await found(finding('notes', test_), finding('carts', test_))
  const { ruleId } = await ask(member, 'addFalsePositive', {
    issueId: idOf('notes', 'BFLA_READ'),
    scope: 'ENDPOINT',
    reason: 'Notes are public',
  })
  expect(await issue('notes')).toMatchObject({
    testRunIssueStatus: 'IGNORED',
    ignoreReason: 'False positive: Notes are public',
    falsePositiveRuleId: ruleId,
  })
  expect((await issue('carts')).testRunIssueStatus).toBe('OPEN')

  await ask(member, 'updateFalsePositive', { ruleId, scope: 'COLLECTION', reason: 'The shop is public' })
  expect((await issue('carts')).testRunIssueStatus).toBe('IGNORED')
  await found(finding('items', test_))
  expect(await issue('items')).toMatchObject({ testRunIssueStatus: 'IGNORED', falsePositiveRuleId: ruleId })
  const { rules } = await ask(admin, 'fetchFalsePositives', {})
  expect(rules).toEqual([expect.objectContaining({ ruleId, hits: 3, issuesCount: 3, scope: 'COLLECTION' })])

  await ask(member, 'deleteFalsePositive', { ruleId })
  for (const path of ['notes', 'carts', 'items']) expect((await issue(path)).testRunIssueStatus).toBe('OPEN')
})

test('people restricted to some collections make no rule for everywhere, and see none of other collections', async () => {
  const { rules } = await ask(admin, 'fetchFalsePositives', {})
  expect(rules).toEqual([])
  await ask(admin, 'addFalsePositive', { issueId: idOf('notes'), scope: 'ENDPOINT', reason: 'Public notes' })
  const narrow = await joinPerson(server, admin, 'narrow@example.org', 'MEMBER')
  const { users } = await ask(admin, 'getTeamData', {})
  const { id } = users.find(({ login }) => login === 'narrow@example.org')!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [String(id)]: [] } })
  expect((await ask(narrow, 'fetchFalsePositives', {})).rules).toEqual([])
  const refused = await narrow.call('addFalsePositive', {
    issueId: idOf('notes'),
    scope: 'EVERYWHERE',
    reason: 'Public notes',
  })
  expect(refused.status).toBeGreaterThanOrEqual(400)
})

test('people restricted to some collections see a rule widened to everywhere, and neither change nor remove it', async () => {
  const { ruleId } = await ask(admin, 'addFalsePositive', {
    issueId: idOf('bills'),
    scope: 'ENDPOINT',
    reason: 'Public bills',
  })
  const widened = { ruleId, scope: 'EVERYWHERE', reason: 'Public everywhere' } as const
  await ask(admin, 'updateFalsePositive', widened)
  const insider = await joinPerson(server, admin, 'insider@example.org', 'MEMBER')
  const outsider = await joinPerson(server, admin, 'outsider@example.org', 'MEMBER')
  const { users } = await ask(admin, 'getTeamData', {})
  const id = (email: string) => String(users.find(({ login }) => login === email)!.id)
  await ask(admin, 'updateUserCollections', {
    userCollectionMap: { [id(insider.email)]: [shop], [id(outsider.email)]: [] },
  })
  for (const person of [admin, insider, outsider]) {
    const { rules } = await ask(person, 'fetchFalsePositives', {})
    expect(rules.find((rule) => rule.ruleId === ruleId)).toMatchObject({
      scope: 'EVERYWHERE',
      apiCollectionId: null,
      method: null,
      url: null,
    })
  }
  const narrower = { ruleId, scope: 'COLLECTION', reason: 'Only here' } as const
  expect((await insider.call('updateFalsePositive', narrower)).headers.get('x-error-code')).toBe(
    'RULE_NOT_FOUND',
  )
  expect((await insider.call('deleteFalsePositive', { ruleId })).headers.get('x-error-code')).toBe(
    'RULE_NOT_FOUND',
  )
  await ask(admin, 'updateFalsePositive', narrower)
  await ask(insider, 'deleteFalsePositive', { ruleId })
})

test('a rule for everywhere outlives the collection it was made in', async () => {
  const content = messageLines([{ path: 'https://gone.test/logs' }])
  const { apiCollectionId: gone } = await ask(server, 'importTraffic', { apiCollectionName: 'gone', content })
  const test_ = { testId: 'XSS_QUERY', severity: 'LOW' } as const
  await found(finding('notes', test_))
  const { ruleId } = await ask(admin, 'addFalsePositive', {
    issueId: {
      ...idOf('', 'XSS_QUERY'),
      apiInfoKey: { apiCollectionId: gone, method: 'GET', url: 'https://gone.test/logs' },
    },
    scope: 'COLLECTION',
    reason: 'Answers are text',
  })
  await ask(admin, 'updateFalsePositive', { ruleId, scope: 'EVERYWHERE', reason: 'Answers are text' })
  await ask(admin, 'deleteCollection', { apiCollectionId: gone })
  const { rules } = await ask(admin, 'fetchFalsePositives', {})
  expect(rules.find((rule) => rule.ruleId === ruleId)).toMatchObject({ scope: 'EVERYWHERE', issuesCount: 1 })
  await found(finding('carts', test_))
  const [issue] = await ask(admin, 'fetchIssuesFromResultIds', {
    issueStatusQuery: ['OPEN', 'IGNORED', 'FIXED'],
    issuesIds: [idOf('carts', 'XSS_QUERY')],
  })
  expect(issue).toMatchObject({ testRunIssueStatus: 'IGNORED', falsePositiveRuleId: ruleId })
})
