import { describe, expect, it } from 'vitest'
import type { ParameterRecord } from '../../../contract/browser.ts'
import { parameterGroups } from './parameter-groups.ts'

function record(change: Partial<ParameterRecord>): ParameterRecord {
  return {
    apiCollectionId: 1,
    url: '/a',
    method: 'GET',
    responseCode: -1,
    param: 'q',
    displayName: 'q',
    position: 'QUERY',
    isHeader: false,
    isUrlParam: false,
    isQueryParam: true,
    subTypeString: 'GENERIC',
    sensitive: false,
    count: 1,
    timestamp: 1,
    lastSeen: 2,
    examples: [],
    minValue: null,
    maxValue: null,
    distinctValues: null,
    route: null,
    ...change,
  }
}

describe('parameterGroups', () => {
  it('keeps places apart, requests first, and statuses in order', () => {
    const groups = parameterGroups([
      record({ position: 'RESPONSE_BODY', responseCode: 404, param: 'error' }),
      record({ position: 'RESPONSE_BODY', responseCode: 200, param: 'id' }),
      record({ position: 'PATH', param: '2' }),
      record({}),
    ])
    expect(groups.map((group) => group.title)).toEqual([
      'Path',
      'Query',
      'Response body of status 200',
      'Response body of status 404',
    ])
  })

  it('joins the types of one name, the commonest first', () => {
    const [group] = parameterGroups([
      record({ subTypeString: 'NULL', count: 1 }),
      record({ subTypeString: 'EMAIL', count: 9, sensitive: true, lastSeen: 7 }),
    ])
    expect(group?.rows).toHaveLength(1)
    expect(group?.rows[0]?.types).toEqual([
      { name: 'EMAIL', sensitive: true },
      { name: 'NULL', sensitive: false },
    ])
    expect(group?.rows[0]?.lastSeen).toBe(7)
  })

  it('tells ranges and small sets of values', () => {
    const [group] = parameterGroups([
      record({ param: 'n', minValue: 1, maxValue: 40 }),
      record({ param: 'one', minValue: 5, maxValue: 5, examples: ['5'], distinctValues: 1 }),
      record({ param: 'set', distinctValues: 3, examples: ['a'] }),
      record({ param: 'free', distinctValues: 21 }),
    ])
    expect(group?.rows.map((row) => row.values)).toEqual(['1 to 40', '', '3 distinct values', 'many values'])
  })
})
