import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import { EMPTY_LOOKUPS, MessageView, Variables } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import { parseTemplate } from '../template/index.ts'
import { confirm } from './confirm.ts'
import type { JudgedAttempt, Trial } from './judge.ts'
import type { RunTools } from './tools.ts'

const { template } = parseTemplate(
  templateText({ operations: '        - remove_auth_header: true' }),
  'open.yaml',
)

/** The control of a positive without credentials, at a target that knows no other path. */
async function controlOf(method: string, path: string, endpointUrl: string) {
  const sample = rawSample(`${method} http://127.0.0.1:3000${path} HTTP/1.1\nauthorization: Bearer a\n\n`)
  const draft = draftOf(sample)
  const asked: string[] = []
  const tools: Partial<RunTools> = {
    send({ url }) {
      asked.push(url)
      const exchange = { ...sample, response: { ...sample.response, status: 404 } }
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    },
    sampleOf: () => sample,
    isDefaultPage: () => false,
    lookups: EMPTY_LOOKUPS,
  }
  const trial: Trial = {
    template: template!,
    endpoint: { collectionId: 1, method, url: endpointUrl },
    sample: new MessageView(sample),
    start: draft,
    variables: new Variables(),
    tools: tools as RunTools,
    credentialNames: ['authorization'],
  }
  const control = await confirm(
    trial,
    template!.execute.steps[0]!,
    { draft, later: null, laterRead: null } as unknown as JudgedAttempt,
    template!.validate!,
  )
  return { asked, control }
}

/** Whether a deletion without credentials is confirmed by a list that shows these identifiers. */
async function isDeletionConfirmed(listed: readonly string[]): Promise<boolean> {
  const url = 'http://127.0.0.1:3000/comments'
  const sample = rawSample(`DELETE ${url}/a1 HTTP/1.1\nauthorization: Bearer a\n\n`)
  const tools: Partial<RunTools> = {
    send(draft, { isOfStandIn }) {
      // The application makes b2 in place of a1, which is gone.
      const target = isOfStandIn === true ? `${url}/b2` : draft.url
      const [status, body] =
        draft.url === url ? [200, JSON.stringify(listed.map((id) => ({ id })))] : [404, '']
      const headers = ['content-type', 'application/json']
      const request = { ...sample.request, method: draft.method, target }
      const exchange = { ...sample, request, response: { ...sample.response, status, headers, body } }
      return Promise.resolve({ exchange, responseTimeMs: 1, isTruncated: false })
    },
    sampleOf: () => sample,
    isDefaultPage: () => false,
    lookups: { ...EMPTY_LOOKUPS, isKnownEndpoint: (_id, method, one) => method === 'GET' && one === url },
  }
  const draft = draftOf(sample)
  const { confirms } = await confirm(
    {
      template: template!,
      endpoint: { collectionId: 1, method: 'DELETE', url: '/comments/STRING' },
      sample: new MessageView(sample),
      start: draft,
      variables: new Variables(),
      tools: tools as RunTools,
      credentialNames: ['authorization'],
    },
    template!.execute.steps[0]!,
    { draft, later: null, laterRead: { isList: true } } as unknown as JudgedAttempt,
    template!.validate!,
  )
  return confirms
}

test('a list proves a deletion if it shows an object that was made in place of the deleted one', async () => {
  expect(await isDeletionConfirmed(['b2', 'c3'])).toBe(true)
  expect(await isDeletionConfirmed(['c3'])).toBe(false)
  expect(await isDeletionConfirmed([])).toBe(false)
})

test.each([
  ['POST', '/', '/', '/'],
  ['GET', '/', '/', '/'],
  ['POST', '', '/', '/'],
  ['POST', '/graphql', '/graphql', '/'],
  ['GET', '/beers/7', '/beers/INTEGER', '/beers/'],
  ['POST', '/beers/7/', '/beers/INTEGER', '/'],
])('%s %s is controlled by a path of the same host that nobody made', async (method, path, url, above) => {
  const { asked, control } = await controlOf(method, path, url)
  const made = asked.map((one) => new URL(one))
  expect(made.map(({ origin }) => origin)).toEqual(['http://127.0.0.1:3000'])
  expect(made[0]?.pathname).toMatch(new RegExp(`^${above}vigil-\\w+`))
  expect(control).toMatchObject({ kind: 'elsewhere', confirms: true })
})
