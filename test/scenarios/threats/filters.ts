import { expect, test } from 'vitest'
import { ask, messageLines, refusal } from '../ask.ts'
import { FILTER, type ThreatScene } from './scene.ts'

/** Filters are saved, tried and removed. */
export function filterCases(scene: ThreatScene): void {
  test('a saved filter is listed, replaced by its id, and removed', async () => {
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER })
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER.replace('HIGH', 'MEDIUM') })
    const listed = async () =>
      (await ask(scene.guest, 'fetchFilterYamlTemplate')).templates!.find(({ id }) => id === 'OwnSqlFilter')
    expect(await listed()).toMatchObject({
      author: 'admin@example.org',
      info: { name: 'Own SQL filter', severity: 'MEDIUM', category: { displayName: 'Own SQL' } },
    })
    expect(await ask(scene.admin, 'deleteFilterYamlTemplate', { templateId: 'OwnSqlFilter' })).toEqual({
      templates: null,
      content: null,
    })
    expect(await listed()).toBeUndefined()
    expect(await refusal(scene.admin, 'deleteFilterYamlTemplate', { templateId: 'OwnSqlFilter' })).toEqual([
      422,
      'Filter not found',
    ])
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER })
    expect(await listed()).toBeDefined()
  })

  test.each([
    ['id: [', 'Invalid YAML: '],
    ['just text', 'Invalid YAML: 1:1 '],
    [FILTER.replace('id: OwnSqlFilter', 'id: ""'), 'id field cannot be empty'],
    [FILTER.replace('id: OwnSqlFilter', 'id: "a b"'), 'id can contain '],
    ['id: A\ninfo: {category: {name: X}, severity: LOW}\n', 'filter field cannot be empty'],
    ['id: A\nfilter: {url: {regex: ["a"]}}\n', 'info is required'],
    [
      FILTER.replace('regex', 'regexp'),
      'line 5, filter.or.0.request_payload.regexp: unknown key regexp (regex?)',
    ],
    [`${FILTER.trimEnd()}\nignor: {}\n`, 'ignor: unknown key ignor (ignore?)'],
    [FILTER.replace('(?i)union[+ ]select', '(a'), 'invalid regular expression'],
    [FILTER.replace('severity: HIGH', 'severity: WORST'), 'line 12, info.severity: '],
  ])('%j is refused with its place', async (content, sentence) => {
    const [status, told] = await refusal(scene.admin, 'saveFilterYamlTemplate', { content })
    expect(status).toBe(422)
    expect(told).toContain(sentence)
    expect(told).toMatch(/\bline \d+|^Invalid YAML: \d+:\d+/)
  })

  test('what is odd about a filter is told where it is saved and tried', async () => {
    const content = `author: me\n${FILTER}`
    const told = [{ line: 1, path: 'author', message: 'The key author is ignored.' }]
    expect((await ask(scene.admin, 'saveFilterYamlTemplate', { content })).warnings).toEqual(told)
    expect((await ask(scene.member, 'testFilterYamlTemplate', { content })).warnings).toEqual(told)
    expect((await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER })).warnings).toEqual([])
  })

  test('a filter is tried on stored messages before it is saved', async () => {
    await ask(scene.server, 'importTraffic', {
      apiCollectionName: 'tried',
      content: messageLines([
        { path: 'https://tried.test/one', method: 'POST', requestPayload: '{"q":"1 UNION SELECT 2"}' },
        { path: 'https://tried.test/two', method: 'POST', requestPayload: '{"q":"union of states"}' },
      ]),
    })
    const tried = await ask(scene.member, 'testFilterYamlTemplate', { content: FILTER })
    expect(tried.matched).toBe(1)
    expect(tried.microsecondsPerMessage).toBeLessThan(5_000)
    expect(tried.missed).toBe(tried.checked - 1)
    expect(tried.examples).toMatchObject([
      { method: 'POST', url: 'https://tried.test/one', location: 'request_payload' },
    ])
    expect(await ask(scene.member, 'testFilterYamlTemplate', { content: FILTER, endTs: 1 })).toMatchObject({
      checked: 0,
    })
    expect((await refusal(scene.guest, 'testFilterYamlTemplate', { content: FILTER }))[0]).toBe(403)
  })
}
