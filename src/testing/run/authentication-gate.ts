import { type Exchange, headerValue } from '../../http/index.ts'
import { isOtherObject, MessageView, meaningPercentage } from '../../rules/index.ts'
import { carriedIn } from '../attempts/credentials.ts'
import { opensToEverybody, sendsInvalidCredentials } from './confirm.ts'
import type { Trial } from './judge.ts'
import type { Obstacle } from './outcome.ts'
import { withoutCredentials } from './strangers.ts'

/** Why a test is not run on an endpoint for the sake of its authentication. */
interface Refusal {
  readonly code: Obstacle
  readonly text: string
}

/**
 * What the `auth` block of a template asks for: a sample that carries a credential, and an endpoint that refuses
 * requests without one (it is asked once). Null lets the test go on.
 *
 * @throws Failure a code of the sender
 */
export async function passAuthentication(trial: Trial): Promise<Refusal | null> {
  const { auth } = trial.template
  if (auth?.authenticated === undefined) return null
  const names = auth.headers ?? trial.credentialNames
  const carries = carriesCredential(trial, names)
  if (!auth.authenticated) {
    return carries
      ? {
          code: 'SKIPPING_EXECUTION_BECAUSE_AUTH',
          text: 'The sample carries credentials; the test wants one without.',
        }
      : null
  }
  if (!carries) {
    return {
      code: 'NO_MESSAGE_WITH_AUTH_TOKEN',
      text: 'No sample of the endpoint carries a known credential.',
    }
  }
  if (isAboutStrangers(trial) && !isByName(trial, names) && mayBeAboutToken(trial)) {
    return { code: 'NO_MESSAGE_WITH_AUTH_TOKEN', text: ABOUT_TOKEN }
  }
  const bare = withoutCredentials(trial.start, names)
  const { exchange } = await trial.tools.send(bare, {
    followRedirects: true,
    testId: trial.template.id,
    endpoint: trial.endpoint,
  })
  const { status } = exchange.response
  if (status < 200 || status > 299 || trial.tools.isDefaultPage(exchange)) return null
  if (!saysTheSame(trial, exchange) && !(await saysTheSameNow(trial, exchange))) return null
  // What belongs to somebody and is open to everybody is worse than what the test looks for.
  return trial.template.needs.some(({ kind }) => kind === 'attacker' || kind === 'role')
    ? { code: 'OPEN_TO_EVERYBODY', text: OPEN }
    : {
        code: 'SKIPPING_EXECUTION_BECAUSE_AUTH',
        text: `The endpoint gives the same answer (${status}) without credentials: it is public.`,
      }
}

/**
 * Whether an endpoint that accepted invalid credentials gives the same to requests without any: then it is public, and what
 * made it look guarded before was a fault, a limit or another test.
 *
 * @param proof what was answered to the invalid credentials
 * @throws Failure a code of the sender
 */
export async function isPublicAfterAll(trial: Trial, proof: Exchange): Promise<boolean> {
  const names = trial.template.auth?.headers ?? trial.credentialNames
  const { exchange } = await trial.tools.send(withoutCredentials(trial.start, names), {
    followRedirects: true,
    testId: trial.template.id,
    endpoint: trial.endpoint,
  })
  const { status } = exchange.response
  return status >= 200 && status <= 299 && saysTheSame({ ...trial, sample: new MessageView(proof) }, exchange)
}

const OPEN =
  'Everybody gets the same answer without credentials, so it makes no difference whose object or function it is. If it is not meant to be public, require credentials: MISSING_AUTHENTICATION and MISSING_AUTHENTICATION_OUTLIER report it.'
/** The share of meaning that an answer to somebody else must have to be the same. */
const SAME = 60
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Guests may get their own answer, such as an empty cart: then nothing is public. */
function saysTheSame({ sample, endpoint }: Trial, bare: Exchange): boolean {
  const view = new MessageView(bare)
  const isWrite = !SAFE_METHODS.has(endpoint.method)
  const sent = {
    now: view.sentValues,
    before: sample.sentValues,
    isOtherObject: isOtherObject(view.url, sample.url, endpoint.url),
  }
  return meaningPercentage(view.responseBody.text, sample.responseBody.text, isWrite, sent) >= SAME
}

/** Whether an answer is the one that the recorded caller gets now: another test may have changed the object meanwhile. */
async function saysTheSameNow(trial: Trial, bare: Exchange): Promise<boolean> {
  const { tools, template, endpoint, start } = trial
  if (!SAFE_METHODS.has(endpoint.method)) return false
  const { exchange } = await tools.send(start, { followRedirects: true, testId: template.id, endpoint })
  const { status } = exchange.response
  return status >= 200 && status <= 299 && saysTheSame({ ...trial, sample: new MessageView(exchange) }, bare)
}

function carriesCredential(trial: Trial, names: readonly string[]): boolean {
  return carriedIn(trial.start).length > 0 || isByName(trial, names)
}

const ABOUT_TOKEN =
  'The only token is in the body, and may be what the request is about, as in a sign-out or a revocation: then the answer is the same for any token.'

/** Whether a test asks what is answered without credentials, or with those that nobody has. */
function isAboutStrangers({ template }: Trial): boolean {
  return template.execute.steps.some((step) => opensToEverybody(step) || sendsInvalidCredentials(step))
}

/** Whether a token in the body may be the object of the request instead of speaking for the caller. */
function mayBeAboutToken({ endpoint, start }: Trial): boolean {
  const { text } = start.body
  const isGraphql = BEGINS_JSON.test(text) && DOCUMENT.test(text)
  return !SAFE_METHODS.has(endpoint.method) && !isGraphql
}

const BEGINS_JSON = /^\s*[[{]/
/** The member of a GraphQL request over HTTP. */
const DOCUMENT = /"query"\s*:\s*"/

/** Whether the sample has one of these headers or cookies. */
function isByName(trial: Trial, names: readonly string[]): boolean {
  const { headers } = trial.tools.sampleOf(trial.endpoint)!.request
  const cookies = (headerValue(headers, 'cookie') ?? '').split(';').map((pair) =>
    pair
      .slice(0, Math.max(pair.indexOf('='), 0))
      .trim()
      .toLowerCase(),
  )
  return names.some(
    (name) => headerValue(headers, name) !== undefined || cookies.includes(name.toLowerCase()),
  )
}
