import type { Authenticator } from '../login/authenticator.ts'
import { CredentialMask } from '../login/credential-mask.ts'
import { formLogin } from '../login/form-login.ts'
import { headerLogin } from '../login/header-login.ts'
import { flowLogin, recordingUrls, typedCredentials } from '../recordings/index.ts'
import type { CrawlJob } from './crawl-job.ts'

/** How the identity of a crawl signs in; null for an anonymous crawl. */
export function authenticatorOf(job: CrawlJob): Authenticator | null {
  const { form, recordedFlow, roleHeaders, roleName } = job
  if (form !== null) return formLogin({ startUrl: job.hostname, ...form })
  if (recordedFlow !== null) return flowLogin(recordedFlow)
  if (Object.keys(roleHeaders).length === 0) return null
  return headerLogin(`credentials of ${roleName ?? 'a role'}`, roleHeaders, new URL(job.hostname).origin)
}

/** Hosts beside that of the crawl which its login leads over: those that a recording names. */
export function loginHostsOf({ recordedFlow }: CrawlJob): readonly URL[] {
  return recordedFlow === null ? [] : recordingUrls(recordedFlow.content)
}

/** Keeps what a job signs in with out of all that the crawl tells. */
export function maskOf({ form, recordedFlow }: CrawlJob): CredentialMask {
  if (form !== null) return new CredentialMask({ users: [form.username], secrets: [form.password] })
  return new CredentialMask(
    recordedFlow === null ? { users: [], secrets: [] } : typedCredentials(recordedFlow.content),
  )
}
