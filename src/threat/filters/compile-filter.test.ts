import { describe, expect, test } from 'vitest'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { compileFilter, problemText } from './compile-filter.ts'

const INFO = 'info:\n  category: {name: SQL_INJECTION, displayName: SQL Injection}\n  severity: HIGH\n'

function problems(yaml: string, severity = 'error'): string[] {
  const { problems: all } = compileFilter(yaml)
  return all.filter((one) => one.severity === severity).map(problemText)
}

test('reads a filter with defaults', () => {
  const { filter, problems: all } = compileFilter(
    `id: SQLInjection\n${INFO}filter:\n  or:\n    - url: {regex: [union]}\n    - request_headers: {regex: union}\n`,
  )
  expect(all).toEqual([])
  expect(filter).toMatchObject({
    id: 'SQLInjection',
    role: 'event',
    rules: [],
    info: {
      name: 'SQLInjection',
      category: { name: 'SQL_INJECTION', displayName: 'SQL Injection', shortName: null },
      subCategory: 'SQL_INJECTION',
      severity: 'HIGH',
    },
  })
})

test.each([
  ['SuccessfulExploit', 'successful-exploit'],
  ['IgnoredEvent', 'ignored-event'],
])('the category %s has its own role', (name, role) => {
  const { filter } = compileFilter(
    `id: a\ninfo: {category: {name: ${name}}, severity: low}\nfilter: {url: {regex: x}}`,
  )
  expect(filter?.role).toBe(role)
})

describe('tells what is wrong, where, and the remedy', () => {
  test.each([
    ['id: a\nfilter: {url: {regex: x}}', 'line 1: info is required'],
    [`${INFO}filter: {url: {regex: x}}`, 'line 1: id field cannot be empty'],
    [`id: a\n${INFO}`, 'line 1: filter field cannot be empty'],
    [`id: a b\n${INFO}filter: {url: {regex: x}}`, 'line 1, id: id takes up to 128 letters'],
    [`id: a\n${INFO}filter: {url: {regex: "[a"}}`, 'line 5, filter.url.regex: invalid regular expression'],
    [
      `id: a\n${INFO}filter:\n  reqest_payload: {regex: a}`,
      'line 6, filter.reqest_payload: reqest_payload is not a condition keyword. Did you mean request_payload?',
    ],
    [
      `id: a\n${INFO}filter: {request_payload: {contains_eiter: [a]}}`,
      'contains_eiter is not a condition keyword. Did you mean contains_either?',
    ],
    [
      `id: a\n${INFO}filter: {url: {request_payload: {regex: a}}}`,
      'request_payload may not stand below another term',
    ],
    [`id: a\n${INFO}filter: {source_ip: {eq: 10.0.0.1}}`, 'is compared with ranges only'],
    [
      `id: a\n${INFO}filter: {source_ip: {contains_either_cidr: [10.0.0.0/99]}}`,
      '10.0.0.0/99 is not a range such as 10.0.0.0/8',
    ],
    [`id: a\n${INFO}filter: {url: {magic_validate: x}}`, 'it needs a language model'],
    [`id: a\n${INFO}filter: {url: {extract: x}}`, 'extract belongs to security tests'],
    [`id: a\n${INFO}filter: {response_payload: {percentage_match: {gt: 3}}}`, 'belongs to security tests'],
    [
      'id: a\ninfo: {category: {name: C}, severity: HIHG}\nfilter: {url: {regex: x}}',
      'HIHG is not a severity: one of CRITICAL, HIGH, MEDIUM, LOW Did you mean HIGH?',
    ],
    ['id: a\ninfo: {severity: LOW}\nfilter: {url: {regex: x}}', 'info.category.name is required'],
    [
      `id: a\n${INFO}filter: {url: {regex: x}}\naggregation_rule: []`,
      'line 6, aggregation_rule: aggregation_rule is not a filter key. Did you mean aggregation_rules?',
    ],
    [`id: a\n${INFO}filter: {url: {regex: x}}\nignor: {}`, 'line 6, ignor: ignor is not a filter key.'],
    ...[
      ['url: {regex: [""]}', 'filter.url.regex: regex has a blank text'],
      ['url: {contains_either: [" "]}', 'contains_either has a blank text'],
      ['url: {not_contains: []}', 'not_contains has nothing to compare with: give it a value.'],
      ['url: {regex: []}', 'regex has nothing to compare with'],
      ['response_code: {gte: abc}', 'gte compares numbers, and abc is not a number: write one.'],
      ['response_code: {eq: OK}', 'response_code is a number, and OK is not a number'],
      ['response_code: {gte: 600, lt: 500}', 'filter.response_code: No number is above 600 and below 500'],
      ['request_payload: {length: {gt: 5, lte: 5}}', 'filter.request_payload.length: No number is'],
    ].map(([condition, words]): [string, string] => [`id: a\n${INFO}filter: {${condition}}`, words!]),
    [
      `id: a\n${INFO}filter:\n  url: {regex: a}\n  url: {regex: b}`,
      'line 7, filter.url: The key url stands here a second time, and in line 6',
    ],
    ['a: [1', 'The text is not YAML'],
    ['- a', 'A filter is a map'],
    ['id: &x a\nb: *x', 'Anchors and aliases are not allowed'],
    [`id: a\n${'#'.repeat(270_000)}`, 'longer than 262144 characters'],
    [`a: ${'['.repeat(5_000)}`, 'nests deeper'],
  ])('%.60s', (yaml, words) => {
    expect(problems(yaml).join('\n')).toContain(words)
    expect(compileFilter(yaml).filter).toBeNull()
  })
})

test('warns of what does not matter, and of what takes longer', () => {
  const warnings = problems(
    `id: a\n${INFO}author: x\nfilter: {url: {regex: ["a(?=b)", "x++y"]}}`,
    'warning',
  ).join('\n')
  expect(warnings).toContain('The key author is ignored.')
  expect(warnings).toContain('looks ahead or behind')
  expect(warnings).toContain('possessive')
})

test('a number stands for its digits where values are texts', () => {
  const { filter } = compileFilter(`id: a\n${INFO}filter: {api_collection_id: {eq: 1795297962}}`)
  const [term] = filter!.condition!.root.children
  const [operator] = term?.kind === 'term' ? term.children : []
  const test = operator?.kind === 'operator' ? operator.ready : null
  expect(test?.('1795297962', { key: '', lookups: EMPTY_LOOKUPS })).toBe(true)
  expect(test?.('77', { key: '', lookups: EMPTY_LOOKUPS })).toBe(false)
})

test('conditions that may be meant are not refused', () => {
  for (const condition of [
    'response_code: {gte: 500, lte: 500}',
    'response_code: {or: [{gte: 600}, {lt: 500}]}',
    'request_payload: {for_one: {value: {eq: ""}}}',
    'url: {regex: ["^$"]}',
  ])
    expect(compileFilter(`id: a\n${INFO}filter: {${condition}}`).problems).toEqual([])
})

test.each([
  ['url: {regex: [".*"]}', 'The pattern is found in every text'],
  ['response_code: {eq: [200, 201]}', 'eq compares with the first value only'],
])('warns of %s', (condition, words) => {
  expect(problems(`id: a\n${INFO}filter: {${condition}}`, 'warning').join('\n')).toContain(words)
})

describe('aggregation rules', () => {
  const yaml = (rules: string): string =>
    `id: a\n${INFO}filter: {url: {regex: x}}\naggregation_rules:\n${rules}`

  test('are read with their defaults', () => {
    const { filter } = compileFilter(
      yaml('  - rule: {name: burst, condition: {matchCount: 50, windowThreshold: 5}}'),
    )
    expect(filter?.rules).toEqual([
      {
        ...{ name: 'burst', matchCount: 50, windowMinutes: 5, countedPart: null, firingPart: null },
        ...{ distinct: null, scope: 'actor' },
      },
    ])
  })

  test('count values, by endpoint', () => {
    const { filter } = compileFilter(
      yaml(
        '  - rule: {condition: {windowThreshold: 5, perEndpoint: true, distinctIdentifier: {count: 9, source: url}}}',
      ),
    )
    expect(filter?.rules[0]).toMatchObject({
      ...{ name: 'rule 1', matchCount: 9, scope: 'actor-endpoint' },
      distinct: { count: 9, source: 'url', key: '' },
    })
  })

  test('the first rule of a rate limit counts all callers', () => {
    const { filter } = compileFilter(
      `id: a\ninfo: {category: {name: C}, subCategory: API_LEVEL_RATE_LIMITING, severity: LOW}\nfilter: {url: {regex: x}}\n` +
        'aggregation_rules:\n  - rule: {condition: {matchCount: 5, windowThreshold: 1}}',
    )
    expect(filter?.rules[0]?.scope).toBe('endpoint')
  })

  test.each([
    ['  - rule: {condition: {matchCount: 0, windowThreshold: 5}}', 'matchCount must be an integer from 1'],
    ['  - rule: {condition: {matchCount: 5}}', 'windowThreshold must be an integer'],
    ['  - rule: {condition: {matchCount: x, windowThreshold: 5}}', 'matchCount must be an integer'],
    ['  - rule: {condition: {matchcount: 5, windowThreshold: 5}}', 'Did you mean matchCount?'],
    ['  - rule: {name: a}', 'condition is required'],
    [
      '  - rule: {condition: {matchCount: 5, windowThreshold: 5, incrementFilter: failure_filter}}',
      'which the filter has not',
    ],
    [
      '  - rule: {condition: {windowThreshold: 5, distinctIdentifier: {count: 5, source: request_paylod, key: a}}}',
      'Did you mean request_payload?',
    ],
    [
      '  - rule: {condition: {windowThreshold: 5, distinctIdentifier: {count: 5, source: request_headers}}}',
      'key is required',
    ],
    ['  - 5', 'A rule is a map'],
  ])('%s', (rules, words) => {
    expect(problems(yaml(rules)).join('\n')).toContain(words)
  })
})

test('hostile filters cost little', () => {
  const start = process.cpuUsage()
  const words = Array.from({ length: 1_500 }, (_, i) => `word${i}`).join(', ')
  for (const condition of [
    `{url: {regex: ["${'(a|b)?'.repeat(300)}", "(a+)+$", "((a{0,100}){0,100}){0,100}", "(${'('.repeat(400)}"]}}`,
    `{url: {contains_either: [${words}]}}`,
    `{or: [${'{or: ['.repeat(20)}{url: {regex: x}}${']}'.repeat(20)}]}`,
  ])
    compileFilter(`id: a\n${INFO}filter: ${condition}`)
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
})
