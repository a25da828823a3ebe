import { isSendable } from '../browser/connection-headers.ts'
import type { Authenticator } from '../login/authenticator.ts'
import { CredentialMask, type KnownCredentials } from '../login/credential-mask.ts'
import { formLogin } from '../login/form-login.ts'
import { givenCredentials } from '../login/given-credentials.ts'
import { headerLogin } from '../login/header-login.ts'
import type { TakeCodeStep } from '../login/one-time-code.ts'
import { flowLogin, recordingUrls, typedCredentials } from '../recordings/index.ts'
import type { CrawlJob } from './crawl-job.ts'

/**
 * How the identity of a crawl signs in; null for an anonymous crawl.
 *
 * @param takeCodeStep keeps one-time codes from being typed twice
 */
export function authenticatorOf(job: CrawlJob, takeCodeStep: TakeCodeStep): Authenticator | null {
  const { form, recordedFlow, roleHeaders, roleName } = job
  if (form !== null) return formLogin({ startUrl: job.hostname, ...form })
  if (recordedFlow !== null) return flowLogin(recordedFlow, takeCodeStep)
  if (Object.keys(roleHeaders).length === 0) return null
  return headerLogin(`credentials of ${roleName ?? 'a role'}`, roleHeaders, new URL(job.hostname).origin)
}

/** Whether nothing that a job was given says who crawls. */
export function isAnonymous({ form, recordedFlow, apiKey, roleHeaders, customHeaders }: CrawlJob): boolean {
  const headers = [...Object.keys(roleHeaders), ...Object.keys(customHeaders)]
  return form === null && recordedFlow === null && apiKey === null && headers.length === 0
}

/** Names of headers of a job that are left out, since a browser cannot be made to send them. */
export function unsendableHeaders({ customHeaders, roleHeaders, recordedFlow }: CrawlJob): string[] {
  const asked = [...Object.entries(customHeaders), ...Object.entries(roleHeaders)]
  if (recordedFlow !== null && recordedFlow.header !== '') asked.push([recordedFlow.header, ''])
  return [...new Set(asked.flatMap(([name, value]) => (isSendable(name, value) ? [] : [name])))]
}

/** Hosts beside that of the crawl which its login leads over: those that a recording names. */
export function loginHostsOf({ recordedFlow }: CrawlJob): readonly URL[] {
  return recordedFlow === null ? [] : recordingUrls(recordedFlow.content)
}

/** Keeps what a job signs in with, and the keys it was given, out of all that the crawl tells. */
export function maskOf({ form, recordedFlow, apiKey, roleHeaders, customHeaders }: CrawlJob): CredentialMask {
  const key: Record<string, string> = apiKey === null ? {} : { 'x-api-key': apiKey }
  const all: KnownCredentials[] = [
    givenCredentials({ ...key, ...roleHeaders }, true),
    givenCredentials(customHeaders, false),
  ]
  if (form !== null) all.push({ users: [form.username], secrets: [form.password] })
  else if (recordedFlow !== null) all.push(typedCredentials(recordedFlow.content))
  return new CredentialMask({
    users: all.flatMap(({ users }) => users),
    secrets: all.flatMap(({ secrets }) => secrets),
    tokens: all.flatMap(({ tokens = [] }) => tokens),
    headers: all.flatMap(({ headers = [] }) => headers),
    cookies: all.flatMap(({ cookies = [] }) => cookies),
  })
}
