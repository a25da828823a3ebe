import type { Failure } from '../../kit/index.ts'
import type { Obstacle } from './outcome.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  TARGET_OUT_OF_SCOPE: 'The request would leave the hosts under test, so it was not sent',
  TARGET_UNREACHABLE: 'The target did not answer',
  TARGET_TIMEOUT: 'The target did not answer in time',
  TARGET_BROKE_PROTOCOL: 'The target answered with something that is not HTTP',
  TARGET_CERTIFICATE_REFUSED: 'The certificate of the target is not trusted',
  HOST_BUDGET_SPENT: 'The target failed to answer too often, so the run sends it nothing more',
  TOO_MANY_REDIRECTS: 'The target redirected too often',
}

/** Why a request has no answer, as a sentence for people; the details never hold secrets. */
export function sendFailure({ code, details }: Failure): string {
  if (code === 'WRITE_NOT_REVERSIBLE')
    return `${details['method']} ${details['url']} was not sent, because ${details['reason']}.${details['isFinal'] === true ? '' : ' Choose the write level ALL to send it.'}`
  if (code === 'WRITE_IS_STALE')
    return `${details['method']} ${details['url']} was not sent, because the object it deletes no longer exists. Record the endpoint again with an object that exists.`
  if (code === 'ENDPOINT_SILENT')
    return `${details['method']} ${details['url']} left too many requests unanswered, so the run sends it nothing more for now. Test only this endpoint, or look in its log for what ends without an answer.`
  const parts = [details['host'], details['reason']].filter((part) => part !== undefined && part !== null)
  return `${SENTENCES[code] ?? `The request failed (${code})`}${parts.length === 0 ? '' : ` (${parts.join(': ')})`}.`
}

/** What a request without an answer makes of its test. */
export function sendObstacle({ code }: Failure): SendObstacle {
  if (code === 'WRITE_IS_STALE') return 'BASELINE_CHANGED'
  return code === 'WRITE_NOT_REVERSIBLE' ? code : 'API_REQUEST_FAILED'
}

/** Outcomes of tests whose requests were not answered. */
export type SendObstacle = Extract<
  Obstacle,
  'API_REQUEST_FAILED' | 'WRITE_NOT_REVERSIBLE' | 'BASELINE_CHANGED'
>
