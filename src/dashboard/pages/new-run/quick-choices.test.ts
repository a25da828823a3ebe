import { expect, test } from 'vitest'
import type { TestTemplate } from '../../../contract/browser.ts'
import { quickChoicesFor, risksOf, risksWithCounts } from './quick-choices.ts'

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
    const includes = quickChoicesFor([bola, login, template([])]).find(
      (choice) => choice.label === label,
    )!.includes
    return [includes(bola), includes(login), includes(template([]))]
  }
  expect(chosen('All tests')).toEqual([true, true, true])
  expect(chosen('OWASP API Top 10')).toEqual([true, true, false])
  expect(chosen('Only authorization')).toEqual([true, false, false])
  expect(chosen('Only authentication')).toEqual([false, true, false])
  expect(chosen('Only those that change nothing')).toEqual([false, true, true])
})

test('a choice that would choose every test is left out, and risks say how many tests look for them', () => {
  const mapped = [template(['API1:2023'], 'INTRUSIVE'), template(['API1:2023', 'API2:2023'])]
  expect(quickChoicesFor(mapped).map(({ label }) => label)).toEqual([
    'All tests',
    'Only authentication',
    'Only those that change nothing',
  ])
  expect(
    risksWithCounts(mapped)
      .slice(0, 3)
      .map(({ label }) => label),
  ).toEqual([
    'API1 Broken object level authorization (2)',
    'API2 Broken authentication (1)',
    'API3 Broken object property level authorization (0)',
  ])
})
