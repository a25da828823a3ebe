import { expect, it } from 'vitest'
import { type Credential, credentialKinds, credentialOf, draftOf, emptyDraft } from './credential-draft.ts'

/** A stored credential of what a draft sends, as the server lists it. */
function stored(sent: ReturnType<typeof credentialOf>): Credential {
  return {
    authMechanism: {
      type: sent.type,
      authParams: sent.parameters,
      uuid: 'u',
      cacheExpired: true,
      apiCollectionIds: null,
      id: null,
      requestData: sent.steps,
      recordedLoginFlowInput: sent.flow,
    },
    headerKVPairs: { 'x-tenant': 'a' },
    urlRegex: '/admin/',
    recordedLoginFlowInput: sent.flow,
  }
}

const filled = {
  user: 'ann',
  password: 'se:cret',
  recording: '{"title":"login","steps":[]}',
  tokenCommand: "localStorage.getItem('token')",
  sampleCollection: '1679459648',
  sampleUrl: '/login',
  certificate: '-----BEGIN CERTIFICATE-----',
}

it('gives every kind back as it was stored', () => {
  for (const kind of credentialKinds) {
    const sent = credentialOf({ ...emptyDraft(kind), ...filled })
    const draft = draftOf(stored(sent))
    expect([kind, draft.kind, draft.urlRegex, draft.headerPairs]).toEqual([
      kind,
      kind,
      '/admin/',
      { 'x-tenant': 'a' },
    ])
    expect([kind, credentialOf(draft)]).toEqual([kind, sent])
  }
})

it('keeps several values and steps, and what the form does not show of a step', () => {
  const sent = {
    type: 'LOGIN_REQUEST' as const,
    parameters: [
      { where: 'HEADER', key: 'Authorization', value: 'Bearer ${x3.response.body.token}', showHeader: true },
      { where: 'BODY', key: 'session', value: '${sid}', showHeader: true },
    ],
    steps: [
      {
        type: 'LOGIN_FORM',
        queryParams: '',
        url: '/login',
        method: 'POST',
        headers: 'a: b',
        body: '{}',
        extract: [{ name: 'sid', from: 'COOKIE', key: 'sid' }],
      },
      {
        ...{ type: 'LOGIN_FORM', queryParams: 'x=1', url: '/token', method: 'GET', headers: '', body: '' },
        totp: 'JBSWY3DPEHPK3PXP',
      },
    ],
    flow: null,
  }
  expect(credentialOf(draftOf(stored(sent)))).toEqual(sent)
})
