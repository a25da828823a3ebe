import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import { type Exchange, headerValue } from '../../http/index.ts'
import { EMPTY_LOOKUPS, MessageView, Variables } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import { parseTemplate } from '../template/index.ts'
import { passAuthentication } from './authentication-gate.ts'
import type { Trial } from './judge.ts'
import type { RunTools } from './tools.ts'

const { template } = parseTemplate(
  templateText({ operations: '        - invalidate_auth_header: true', rest: 'auth: {authenticated: true}' }),
  'gate.yaml',
)
const URL_OF_USER = 'http://127.0.0.1:3000/users/ann'

function profile(mail: string, name: string): Exchange {
  const sample = rawSample(`GET ${URL_OF_USER} HTTP/1.1\nauthorization: Bearer a\n\n`)
  return { ...sample, response: { ...sample.response, body: JSON.stringify({ mail, name }) } }
}

/** Why the test is not run, where the application answers these to requests with and without credentials. */
async function refusalOf(
  sample: Exchange,
  now: Exchange,
  bare: Exchange,
  method = 'GET',
): Promise<string | undefined> {
  const tools: Partial<RunTools> = {
    send({ headers }) {
      const isBare =
        headerValue(
          headers.flatMap(({ name, value }) => [name, value]),
          'authorization',
        ) === undefined
      return Promise.resolve({ exchange: isBare ? bare : now, responseTimeMs: 1, isTruncated: false })
    },
    sampleOf: () => sample,
    isDefaultPage: () => false,
    lookups: EMPTY_LOOKUPS,
  }
  const trial: Trial = {
    template: template!,
    endpoint: { collectionId: 1, method, url: '/users/STRING' },
    sample: new MessageView(sample),
    start: draftOf(sample),
    variables: new Variables(),
    tools: tools as RunTools,
    credentialNames: ['authorization'],
  }
  return (await passAuthentication(trial))?.code
}

const PUBLIC = 'SKIPPING_EXECUTION_BECAUSE_AUTH'

test('an endpoint is public when the recorded caller gets now what everybody gets', async () => {
  const [before, changed] = [profile('ann@mail.test', 'Ann'), profile('anna@mail.test', 'Anna')]
  expect(await refusalOf(before, before, before)).toBe(PUBLIC)
  // Another test changed the user after the sample was read.
  expect(await refusalOf(before, changed, changed)).toBe(PUBLIC)
})

test('an endpoint that gives guests something else is not public', async () => {
  const guest = profile('nobody@mail.test', 'Guest')
  expect(
    await refusalOf(profile('ann@mail.test', 'Ann'), profile('anna@mail.test', 'Anna'), guest),
  ).toBeUndefined()
})

test('a token that is alone in a body may be what the request is about, unless the body is a GraphQL document', async () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln'
  const sampleWith = (body: object): Exchange =>
    rawSample(`POST http://127.0.0.1:3000/auth/logout HTTP/1.1\n\n${JSON.stringify(body)}`)
  const refused = rawSample('POST http://127.0.0.1:3000/auth/logout HTTP/1.1\n\n{}')
  const bare = { ...refused, response: { ...refused.response, status: 400, body: '{"error":"no token"}' } }
  const logout = sampleWith({ refresh_token: token })
  expect(await refusalOf(logout, logout, bare, 'POST')).toBe('NO_MESSAGE_WITH_AUTH_TOKEN')
  const document = sampleWith({
    query: 'query ($t: String) { me(token: $t) { id } }',
    variables: { t: token },
  })
  expect(await refusalOf(document, document, bare, 'POST')).toBeUndefined()
})
