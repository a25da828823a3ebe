import {
  type Credential,
  type CredentialDraft,
  emptyDraft,
  emptyStep,
  type StepDraft,
} from './credential-draft.ts'

/** Stands for the one-time code. */
const CODE = '${totp}'
/** Stands for a dollar that JSON writes as an escape; not a character of any text. */
const ESCAPED_DOLLAR = '\uFFFF'

/** How an application signs people or programs in. */
export type LoginWay = 'form' | 'api' | 'token' | 'oauth' | 'recorded'

/** What a person said about a login, before it becomes requests and values. */
export interface GuidedLogin {
  readonly way: LoginWay
  /** Where the login is sent: the action of the form, the API, the token endpoint. */
  readonly url: string
  readonly user: string
  readonly password: string
  readonly userField: string
  readonly passwordField: string
  /** Page whose form holds a hidden token; '' without one. */
  readonly pageUrl: string
  readonly hiddenField: string
  /** By what the form shows that it signed somebody in. */
  readonly sign: 'redirect' | 'cookie' | 'any'
  /** Name of the cookie that is the sign. */
  readonly signCookie: string
  /** Path of the token in the answer. */
  readonly tokenPath: string
  /** Secret of one-time codes; '' without them. */
  readonly totp: string
  readonly totpField: string
  /** Where the code is sent after the password; '' when it goes with it. */
  readonly totpUrl: string
  readonly header: string
  readonly prefix: string
  readonly token: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  readonly audience: string
  /** How the client proves itself (RFC 6749 section 2.3.1). */
  readonly clientAuth: 'basic' | 'body'
  readonly urlRegex: string
  /** The parts of a recorded login. */
  readonly recorded: CredentialDraft
}

/** A login of which nothing was said yet but what is usual. */
export function emptyLogin(way: LoginWay): GuidedLogin {
  return {
    way,
    url: '',
    user: '',
    password: '',
    userField: 'username',
    passwordField: 'password',
    pageUrl: '',
    hiddenField: 'csrf_token',
    sign: 'redirect',
    signCookie: '',
    tokenPath: 'token',
    totp: '',
    totpField: 'code',
    totpUrl: '',
    header: 'Authorization',
    prefix: 'Bearer',
    token: '',
    clientId: '',
    clientSecret: '',
    scope: '',
    audience: '',
    clientAuth: 'basic',
    urlRegex: '',
    recorded: emptyDraft('RECORDED'),
  }
}

/** The credential that a login comes to. */
export function credentialOfLogin(login: GuidedLogin): CredentialDraft {
  return { ...partsOf(login), urlRegex: login.urlRegex }
}

/** Where a stored login is among the credentials of its role; null when it is not there. */
export function placeOfLogin(
  { urlRegex }: Pick<GuidedLogin, 'urlRegex'>,
  credentials: readonly Pick<Credential, 'urlRegex' | 'headerKVPairs'>[],
): number | null {
  const at = credentials.findIndex(
    (one) => (one.urlRegex ?? '') === urlRegex.trim() && Object.keys(one.headerKVPairs).length === 0,
  )
  return at < 0 ? null : at
}

function partsOf(login: GuidedLogin): CredentialDraft {
  switch (login.way) {
    case 'form':
      return byRequests(formSteps(login), 'Cookie', '${cookies}')
    case 'api':
      return byRequests(apiSteps(login), login.header, carried(login, apiSteps(login).length))
    case 'oauth':
      return byRequests(
        [tokenStep(login)],
        'Authorization',
        carried({ prefix: 'Bearer', tokenPath: 'access_token' }, 1),
      )
    case 'token':
      return {
        ...emptyDraft('HARDCODED'),
        parameters: [
          { where: 'HEADER', key: login.header.trim(), value: prefixed(login, login.token.trim()) },
        ],
      }
    case 'recorded':
      return login.recorded
  }
}

function byRequests(steps: readonly StepDraft[], key: string, value: string): CredentialDraft {
  return { ...emptyDraft('LOGIN_REQUEST'), steps, parameters: [{ where: 'HEADER', key: key.trim(), value }] }
}

/** The token of the last answer; answers count in odd numbers (x1, x3 …). */
function carried(login: Pick<GuidedLogin, 'prefix' | 'tokenPath'>, steps: number): string {
  return prefixed(login, `\${x${2 * steps - 1}.response.body.${login.tokenPath.trim()}}`)
}

function prefixed({ prefix }: Pick<GuidedLogin, 'prefix'>, value: string): string {
  return prefix.trim() === '' ? value : `${prefix.trim()} ${value}`
}

const formType = 'content-type: application/x-www-form-urlencoded'

function formSteps(login: GuidedLogin): StepDraft[] {
  const hidden: [string, string][] = login.pageUrl.trim() === '' ? [] : [[login.hiddenField, '${form_token}']]
  const account: [string, string][] = [
    [login.userField, encodeURIComponent(login.user)],
    [login.passwordField, encodeURIComponent(login.password)],
  ]
  const post = (url: string, fields: readonly [string, string][]): StepDraft => ({
    ...emptyStep,
    url,
    headers: formType,
    body: fields.map(([name, value]) => `${encodeURIComponent(name.trim())}=${value}`).join('&'),
  })
  const requests =
    login.totp.trim() === '' || login.totpUrl.trim() !== ''
      ? [post(login.url, [...hidden, ...account])]
      : [{ ...post(login.url, [...hidden, ...account, [login.totpField, CODE]]), totp: login.totp }]
  if (login.totp.trim() !== '' && login.totpUrl.trim() !== '')
    requests.push(
      ...(login.pageUrl.trim() === '' ? [] : [pageStep(login, login.totpUrl)]), // each page may have its own token
      { ...post(login.totpUrl, [...hidden, [login.totpField, CODE]]), totp: login.totp },
    )
  const last = requests.at(-1)!
  requests[requests.length - 1] = { ...last, rest: signOf(login) }
  return login.pageUrl.trim() === '' ? requests : [pageStep(login, login.pageUrl), ...requests]
}

/** Reads the page of a form, and keeps its hidden token. */
function pageStep({ hiddenField }: GuidedLogin, url: string): StepDraft {
  const name = hiddenField.trim().replaceAll(/[^\w-]/g, '\\$&')
  const regex = `<(?=[^>]*\\sname=["']${name}["'])[^>]*\\svalue=["']([^"']+)["']`
  const extract = [{ name: 'form_token', from: 'BODY', key: '', regex }]
  return { ...emptyStep, method: 'GET', url, headers: '', rest: { extract } }
}

/** What the answer must hold for the login to count; the sentence about a failure names it. */
function signOf({ sign, signCookie }: GuidedLogin): Record<string, unknown> {
  if (sign === 'redirect')
    return { extract: [{ name: 'redirect', from: 'STATUS', key: '', regex: '^30[12378]$' }] }
  if (sign === 'cookie') {
    const key = signCookie.trim()
    return { extract: [{ name: `cookie ${key}`, from: 'COOKIE', key }] }
  }
  return {}
}

function apiSteps(login: GuidedLogin): StepDraft[] {
  const account: [string, string][] = [
    [login.userField, login.user.replaceAll('$', ESCAPED_DOLLAR)],
    [login.passwordField, login.password.replaceAll('$', ESCAPED_DOLLAR)],
  ]
  if (login.totp.trim() === '') return [jsonStep(login.url, account)]
  const code: [string, string] = [login.totpField, CODE]
  if (login.totpUrl.trim() === '') return [{ ...jsonStep(login.url, [...account, code]), totp: login.totp }]
  return [jsonStep(login.url, account), { ...jsonStep(login.totpUrl, [code]), totp: login.totp }]
}

/** An account is sent as it is: its dollars are escaped, so that only {@link CODE} is filled in. */
function jsonStep(url: string, fields: readonly [string, string][]): StepDraft {
  const tree: Record<string, unknown> = {}
  for (const [path, value] of fields) place(tree, path.trim().split('.'), value)
  return { ...emptyStep, url, body: JSON.stringify(tree).replaceAll(ESCAPED_DOLLAR, String.raw`\u0024`) }
}

/** Sets a value at a path such as `user.email`. */
function place(tree: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  const inner = { ...(tree[name] as Record<string, unknown> | undefined) }
  place(inner, rest, value)
  tree[name] = inner
}

function tokenStep(login: GuidedLogin): StepDraft {
  const { clientId, clientSecret, scope, audience, clientAuth } = login
  const fields: [string, string][] = [
    ['grant_type', 'client_credentials'],
    ['scope', scope.trim()],
    ['audience', audience.trim()],
    ...(clientAuth === 'body'
      ? ([
          ['client_id', clientId.trim()],
          ['client_secret', clientSecret.trim()],
        ] as [string, string][])
      : []),
  ]
  const pair = `${encodeURIComponent(clientId.trim())}:${encodeURIComponent(clientSecret.trim())}`
  return {
    ...emptyStep,
    url: login.url,
    headers: clientAuth === 'basic' ? `${formType}\nauthorization: Basic ${btoa(pair)}` : formType,
    body: fields
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&'),
  }
}
