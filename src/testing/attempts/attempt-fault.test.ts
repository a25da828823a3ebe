import { expect, test } from 'vitest'
import { attemptEnvironment } from '../../../test/attempt-environment.ts'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import { parseTemplate } from '../template/parse-template.ts'
import { attemptFault } from './attempt-fault.ts'
import { buildAttempts } from './build-attempts.ts'
import { draftOf } from './draft-of.ts'

/** Why the request of a test as the attacker is not the attack that it means. */
function faultOf(request: string, more: readonly string[] = []): string | null {
  const operations = ['replace_auth_header: true', ...more].map((line) => `        - ${line}`).join('\n')
  const { template } = parseTemplate(templateText({ operations }), 'case.yaml')
  const [step] = template!.execute.steps
  const environment = attemptEnvironment()
  const start = draftOf(rawSample(request))
  const [built] = [...buildAttempts(step!, start, environment)]
  if (built === undefined || 'failure' in built) throw new Error('nothing was built')
  return attemptFault(step!, built.draft, start, environment)
}

test('a request that still has another token of the recorded caller is not sent as an attack', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln'
  const asked = (body: object): string =>
    `POST /orders HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\ncontent-type: application/json\n\n${JSON.stringify(body)}`
  expect(faultOf(asked({ id: 7 }))).toBeNull()
  expect(faultOf(asked({ id: 7, api_key: 'pk_live_1' }))).toBeNull()
  expect(faultOf(asked({ id: 7, device: token }))).toContain('still in the query or body')
  const beside = 'GET /orders?access_token=0paque HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\n\n'
  expect(faultOf(beside)).toContain('still in the query or body')
})

test('a request that writes is not sent to an object below a parent of the attacker', () => {
  const asked = (line: string): string =>
    `${line} HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\ncontent-type: application/json\n\n{"item":12}`
  expect(faultOf(asked('GET /projects/7/items/12'), ['use_own_parents: 1'])).toBeNull()
  expect(faultOf(asked('POST /projects/7/items/search'), ['use_own_parents: 1'])).toBeNull()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect(faultOf(asked(`${method} /projects/7/items/12`), ['use_own_parents: 1'])).toContain(
      'only requests that read',
    )
  expect(
    faultOf(asked('GET /projects/7/items/12'), ['use_own_parents: 1', 'modify_method: DELETE']),
  ).toContain('only requests that read')
})
