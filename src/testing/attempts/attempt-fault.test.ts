import { expect, test } from 'vitest'
import { attemptEnvironment } from '../../../test/attempt-environment.ts'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import { parseTemplate } from '../template/parse-template.ts'
import { attemptFault } from './attempt-fault.ts'
import { buildAttempts } from './build-attempts.ts'
import { draftOf } from './draft-of.ts'

/** Why the request of a test as the attacker is not the attack that it means. */
function faultOf(request: string): string | null {
  const { template } = parseTemplate(
    templateText({ operations: '        - replace_auth_header: true' }),
    'case.yaml',
  )
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
})
