import type { RequestBodyOf, TestRole } from '../../../../contract/browser.ts'

/** A credential of a role as the server lists it. */
export type Credential = TestRole['authWithCondList'][number]

/** Ways to authenticate that the form knows. */
export const credentialKinds = [
  'HARDCODED',
  'LOGIN_REQUEST',
  'RECORDED',
  'DIGEST_AUTH',
  'SAMPLE_DATA',
  'TLS_AUTH',
] as const

/** One of {@link credentialKinds}. */
export type CredentialKind = (typeof credentialKinds)[number]

/** One value that authenticates, and where it goes. */
export interface ParameterDraft {
  readonly where: string
  readonly key: string
  readonly value: string
}

/** One request of a login. */
export interface StepDraft {
  readonly url: string
  readonly method: string
  readonly headers: string
  readonly body: string
  /** Secret of the one-time code; '' without one. */
  readonly totp: string
  /** What the form does not show is kept as it came. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** What authenticates requests of a role, as it was typed. */
export interface CredentialDraft {
  readonly kind: CredentialKind
  readonly parameters: readonly ParameterDraft[]
  readonly steps: readonly StepDraft[]
  /** Recorded steps of a browser, JSON text. */
  readonly recording: string
  /** Expression that yields the token in the last page. */
  readonly tokenCommand: string
  readonly user: string
  readonly password: string
  /** Endpoint whose newest sample gives the values. */
  readonly sampleCollection: string
  readonly sampleMethod: string
  readonly sampleUrl: string
  /** Certificate chain and key, PEM. */
  readonly certificate: string
  /** Pattern that the URL must match; empty for all. */
  readonly urlRegex: string
  /** Headers that a request must carry for the credential to be used. */
  readonly headerPairs: Readonly<Record<string, string>>
}

/** A step with nothing in it. */
export const emptyStep: StepDraft = {
  url: '',
  method: 'POST',
  headers: 'content-type: application/json',
  body: '',
  totp: '',
  rest: {},
}

/** What is usually put where, for a kind. */
const usualValues: Record<CredentialKind, string> = {
  HARDCODED: '',
  LOGIN_REQUEST: 'Bearer ${x1.response.body.token}',
  RECORDED: 'Bearer ${token}',
  DIGEST_AUTH: '',
  SAMPLE_DATA: 'Bearer ${x1.response.body.token}',
  TLS_AUTH: '',
}

/** A draft of a kind with nothing filled in but what is usual. */
export function emptyDraft(kind: CredentialKind = 'HARDCODED'): CredentialDraft {
  return {
    kind,
    parameters: [{ where: 'HEADER', key: 'Authorization', value: usualValues[kind] }],
    steps: [emptyStep],
    recording: '',
    tokenCommand: '',
    user: '',
    password: '',
    sampleCollection: '',
    sampleMethod: 'POST',
    sampleUrl: '',
    certificate: '',
    urlRegex: '',
    headerPairs: {},
  }
}

/** The draft that changes a stored credential. */
export function draftOf({ authMechanism, urlRegex, headerKVPairs }: Credential): CredentialDraft {
  const kind = kindOf(authMechanism)
  const { authParams, requestData, recordedLoginFlowInput: flow } = authMechanism
  const named = (name: string) => authParams.find(({ key }) => key.toLowerCase() === name)?.value ?? ''
  const [single] = authParams
  const colon = authParams.length === 1 && single ? single.value.indexOf(':') : -1
  const [first] = requestData ?? []
  return {
    ...emptyDraft(kind),
    parameters: authParams.map(({ where, key, value }) => ({ where, key, value })),
    ...(kind === 'LOGIN_REQUEST' ? { steps: (requestData ?? []).map(stepOf) } : {}),
    recording: flow?.content ?? '',
    tokenCommand: flow?.tokenFetchCommand ?? '',
    user: colon > 0 ? single!.value.slice(0, colon) : named('username'),
    password: colon > 0 ? single!.value.slice(colon + 1) : named('password'),
    sampleCollection: textOf(first?.['apiCollectionId']),
    sampleMethod: textOf(first?.['method']) || 'POST',
    sampleUrl: textOf(first?.['url']),
    certificate: kind === 'TLS_AUTH' ? authParams.map(({ value }) => value).join('\n') : '',
    urlRegex: urlRegex ?? '',
    headerPairs: headerKVPairs,
  }
}

function kindOf({ type, recordedLoginFlowInput }: Credential['authMechanism']): CredentialKind {
  const kind = type
    .trim()
    .toUpperCase()
    .replaceAll(/[-\s]+/g, '_')
  if (kind === 'LOGIN_REQUEST' && recordedLoginFlowInput !== null) return 'RECORDED'
  return credentialKinds.find((one) => one === kind) ?? 'HARDCODED'
}

function stepOf(step: Record<string, unknown>): StepDraft {
  const { url, method, headers, body, totp, ...rest } = step
  return {
    url: textOf(url),
    method: textOf(method) || 'POST',
    headers: textOf(headers),
    body: textOf(body),
    totp: textOf(totp),
    rest,
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** The parts of a draft as the operations take them. */
export function credentialOf(draft: CredentialDraft) {
  const isRecorded = draft.kind === 'RECORDED'
  return {
    type: isRecorded ? 'LOGIN_REQUEST' : draft.kind,
    parameters: parametersOf(draft),
    steps: stepsOf(draft),
    flow: isRecorded ? recordingOf(draft) : null,
  }
}

/** The body that stores a draft, without the role. */
export function credentialRequest(draft: CredentialDraft) {
  const { type, parameters, steps, flow } = credentialOf(draft)
  return {
    apiCond: { ...draft.headerPairs },
    authParamData: parameters,
    authAutomationType: type,
    reqData: steps,
    recordedLoginFlowInput: flow,
    urlRegex: draft.urlRegex.trim() || null,
  }
}

function parametersOf(draft: CredentialDraft): NonNullable<RequestBodyOf<'addAuthToRole'>['authParamData']> {
  const shown = (where: string, key: string, value: string) => ({ where, key, value, showHeader: true })
  if (draft.kind === 'DIGEST_AUTH')
    return [shown('HEADER', 'username', draft.user.trim()), shown('HEADER', 'password', draft.password)]
  if (draft.kind === 'TLS_AUTH') return [shown('TLS', 'certificate', draft.certificate.trim())]
  return draft.parameters.map(({ where, key, value }) => shown(where, key.trim(), value.trim()))
}

function stepsOf(draft: CredentialDraft): Record<string, unknown>[] {
  if (draft.kind === 'SAMPLE_DATA')
    return [
      {
        apiCollectionId: Number(draft.sampleCollection),
        method: draft.sampleMethod,
        url: draft.sampleUrl.trim(),
      },
    ]
  if (draft.kind !== 'LOGIN_REQUEST') return []
  return draft.steps.map(({ url, method, headers, body, totp, rest }) => ({
    type: 'LOGIN_FORM',
    queryParams: '',
    ...rest,
    url: url.trim(),
    method,
    headers,
    body,
    ...(totp.trim() === '' ? {} : { totp: totp.trim() }),
  }))
}

function recordingOf({ recording, tokenCommand }: CredentialDraft) {
  return {
    content: recording,
    tokenFetchCommand: tokenCommand.trim(),
    outputFilePath: null,
    errorFilePath: null,
    tokenResult: null,
  }
}
