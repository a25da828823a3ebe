import { describe, expect, it } from 'vitest'
import { templateText } from '../../../test/template-text.ts'
import { parseTemplate } from './parse-template.ts'
import type { Template } from './template.ts'

function load(text: string): Template {
  const { template, problems } = parseTemplate(text, 'case.yaml')
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return template!
}

/** Paths and messages of the errors. */
function errors(text: string): string[] {
  const { template, problems } = parseTemplate(text, 'case.yaml')
  expect(template).toBeNull()
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(
      ({ place, message, nearest }) => `${place.path}: ${message}${nearest === null ? '' : ` ${nearest}?`}`,
    )
}

describe('a template', () => {
  it('becomes a plan with its parts', () => {
    const template = load(
      templateText({
        type: 'multiple',
        requests:
          '    - req:\n        - Modify_Header: {a: 1}\n        - success: x2\n        - wait: 5\n    - req:\n        - follow_redirect: false\n        - failure: exit',
        rest: 'strategy: {run_once: /}\ninactive: true\nauth: {authenticated: true}\nattributes: {plan: FREE, nature: INTRUSIVE, duration: FAST}',
      }),
    )
    expect(template.execute.steps.map(({ name }) => name)).toEqual(['x1', 'x2'])
    expect(template.execute.steps[0]).toMatchObject({ success: 'x2', failure: null, waitSeconds: 5 })
    expect(template.execute.steps[1]).toMatchObject({ failure: 'exit', followRedirects: false })
    expect(template).toMatchObject({
      strategy: { runOnce: true },
      inactive: true,
      auth: { authenticated: true },
    })
    expect(template.info.subCategory).toBe('CASE')
  })

  it('may repeat keys, hold a lone equals sign, words like yes, dates and placeholders as keys', () => {
    const template = load(
      templateText({
        wordLists: '  a:\n    - =\n    - yes\n    - 2021-01-01\n    - 5\n  b: [1]\n  b: [2]',
        operations: '        - modify_query_param:\n            ${a}: ${b}',
      }),
    )
    expect(template.wordLists).toEqual([
      { name: 'a', kind: 'words', words: ['=', 'yes', '2021-01-01', '5'] },
      { name: 'b', kind: 'words', words: ['2'] },
    ])
    expect(template.execute.steps[0]!.operations[0]).toMatchObject({ key: '${a}', value: '${b}' })
  })

  it('tells what it needs', () => {
    const template = load(
      templateText({
        wordLists: '  a: {source: sample_data, key: {regex: id}, all_apis: true}',
        filters: '  include_roles_access: {param: ADMIN}',
        operations:
          '        - replace_auth_header: true\n        - modify_header: {"${roles_access_context.MEMBER}": 1}\n        - send_ssrf_req: true',
      }),
    )
    expect(template.needs.map((need) => (need.kind === 'role' ? need.role : need.kind)).sort()).toEqual([
      'ADMIN',
      'MEMBER',
      'access matrix',
      'attacker',
      'callback',
      'other samples',
    ])
  })
})

describe('a malformed template is refused with the place', () => {
  it.each([
    ['an unknown operator', { validate: '  response_code: {eqq: 200}' }, 'validate.response_code.eqq'],
    ['an unknown key of info', { info: '  autor: me' }, 'info.autor'],
    [
      'a nested validate that is a list',
      { operations: '        - add_header: {a: 1}\n        - validate: [{response_code: {eq: 1}}]' },
      'execute.requests.0.req.1.validate',
    ],
    [
      'an unknown operation',
      { operations: '        - modify_heder: {a: 1}' },
      'execute.requests.0.req.0.modify_heder',
    ],
    ['a missing validate', { validate: null }, 'execute.requests.0'],
    ['a wrong nesting', { validate: '  eq: 200' }, 'validate'],
    [
      'a wrong argument',
      { operations: '        - modify_header: text' },
      'execute.requests.0.req.0.modify_header',
    ],
    [
      'an unknown form',
      { operations: '        - modify_url: {token_insrt: {location: 1}}' },
      'execute.requests.0.req.0.modify_url.token_insrt',
    ],
    ['an unknown attribute', { rest: 'attributes: {plan: GOLD}' }, 'attributes.plan'],
    ['a jump to nowhere', { operations: '        - success: next' }, 'execute.requests.0.req.0.success'],
  ])('%s', (_, parts, path) => {
    expect(errors(templateText(parts)).some((error) => error.startsWith(path))).toBe(true)
  })

  it('names the nearest word', () => {
    expect(errors(templateText({ operations: '        - modify_heder: {a: 1}' }))[0]).toContain(
      'modify_header?',
    )
  })

  it('and a filter of live traffic is recognised as such', () => {
    expect(errors('id: X\ninfo: {name: x}\nfilter: {url: {regex: x}}')[0]).toContain('filter of live traffic')
  })
})

describe('a hostile template is refused or bounded', () => {
  it('with nesting beyond all measure', () => {
    expect(errors(`id: X\ninfo: ${'{a: '.repeat(10_000)}1${'}'.repeat(10_000)}`)).toHaveLength(1)
    expect(errors(`id: X\nvalidate: ${'['.repeat(100_000)}`)).toHaveLength(1)
  })

  it('with anchors that multiply', () => {
    const lines = [
      'a0: &a0 [x, x, x]',
      ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
    ]
    expect(errors(`id: X\n${lines.join('\n')}`).length).toBeGreaterThan(0)
  })

  it('with a text larger than any template', () => {
    expect(errors(`id: X\ninfo: {name: "${'x'.repeat(2_000_000)}"}`)).toHaveLength(1)
  })

  it('with more words or steps than can be used', () => {
    const words = Array.from({ length: 30_000 }, (_, i) => i).join(',')
    expect(errors(templateText({ wordLists: `  a: [${words}]` }))[0]).toContain('wordLists.a')
    const requests = Array.from({ length: 101 }, () => '    - req: [{add_header: {a: 1}}]').join('\n')
    expect(errors(templateText({ type: 'multiple', requests }))[0]).toContain('more than 100 requests')
  })

  it('with a pattern that others would choke on', () => {
    const started = performance.now()
    load(templateText({ validate: '  response_payload: {regex: "(a+)+$"}' }))
    load(
      templateText({
        operations: '        - modify_url: {regex_replace: {regex: "(a|aa)+$", replace_with: b}}',
      }),
    )
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
