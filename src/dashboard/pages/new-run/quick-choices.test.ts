import { expect, test } from 'vitest'
import type { TestTemplate } from '../../../contract/browser.ts'
import { owaspRisks, quickChoices, risksOf } from './quick-choices.ts'

const template = (clauses: string[], nature = 'NON_INTRUSIVE') =>
  ({
    compliance: { mapComplianceToListClauses: { 'OWASP API SECURITY TOP 10': clauses } },
    attributes: { nature: { _name: nature } },
  }) as unknown as TestTemplate

test('tests are chosen by the risk that they are mapped to, and by what they change', () => {
  const bola = template(['API1:2023'], 'INTRUSIVE')
  const login = template(['API2:2023 Broken Authentication', 'API2:2019'])
  expect([bola, login].map(risksOf)).toEqual([['API1'], ['API2']])
  const chosen = (label: string) => {
    const includes = quickChoices.find((choice) => choice.label === label)!.includes
    return [includes(bola), includes(login), includes(template([]))]
  }
  expect(chosen('All tests')).toEqual([true, true, true])
  expect(chosen('OWASP API Top 10')).toEqual([true, true, false])
  expect(chosen('Only authorization')).toEqual([true, false, false])
  expect(chosen('Only authentication')).toEqual([false, true, false])
  expect(chosen('Only those that change nothing')).toEqual([false, true, true])
  expect(owaspRisks).toHaveLength(10)
})
