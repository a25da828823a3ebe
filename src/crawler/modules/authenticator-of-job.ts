import type { Authenticator } from '../login/authenticator.ts'
import { formLogin } from '../login/form-login.ts'
import { headerLogin } from '../login/header-login.ts'
import type { CrawlJob } from './crawl-job.ts'

/** How the identity of a crawl signs in; null for an anonymous crawl. */
export function authenticatorOf(job: CrawlJob): Authenticator | null {
  const { form, roleHeaders, roleName } = job
  if (form !== null) return formLogin({ startUrl: job.hostname, ...form })
  if (Object.keys(roleHeaders).length === 0) return null
  return headerLogin(`credentials of ${roleName ?? 'a role'}`, roleHeaders, new URL(job.hostname).origin)
}

/** Hosts beside that of the crawl which its login leads over. */
export function loginHostsOf(_job: CrawlJob): URL[] {
  return []
}
