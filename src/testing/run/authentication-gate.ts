import { headerValue } from '../../http/index.ts'
import type { Trial } from './judge.ts'
import type { Obstacle } from './outcome.ts'
import { withoutCredentials } from './strangers.ts'

/** Why a test is not run on an endpoint for the sake of its authentication. */
export interface Refusal {
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
  const bare = withoutCredentials(trial.start, names)
  const { exchange } = await trial.tools.send(bare, { followRedirects: true, testId: trial.template.id })
  const { status } = exchange.response
  if (status < 200 || status > 299 || trial.tools.isDefaultPage(exchange)) return null
  return {
    code: 'SKIPPING_EXECUTION_BECAUSE_AUTH',
    text: `The endpoint answers ${status} without credentials: what it shows is public.`,
  }
}

function carriesCredential(trial: Trial, names: readonly string[]): boolean {
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
