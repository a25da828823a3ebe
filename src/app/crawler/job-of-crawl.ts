import type { CrawlerJob } from '../../contract/index.ts'
import { builtInModule, type CrawlRun, logToCrawl, noteLogin, openSecrets } from '../../crawler/index.ts'
import { noRole, type RoleLogin, type RoleLoginDeps, roleLogin } from './role-login.ts'

/** The organisation of this installation. */
const ACCOUNT = 1_000_000

/**
 * A crawl as its worker gets it, with its credentials. User and password come before an API key for the target,
 * and that before a test role, which signs in now; what fails there is kept with the crawl, which continues without.
 *
 * @param note hears why the role could not sign in, or null; unless given, it is kept with the crawl
 * @throws Failure SEAL_BROKEN
 */
export async function jobOfCrawl(
  deps: RoleLoginDeps,
  crawl: CrawlRun,
  note: (error: string | null) => Promise<void> = (error) => noteRole(deps, crawl, error),
): Promise<CrawlerJob> {
  const secrets = openSecrets(deps.sealer, crawl)
  const isForm = secrets.username !== null && secrets.password !== null
  const isKey = !isForm && secrets.apiKey !== null && secrets.isApiKeyForTarget
  const role = isForm || isKey ? noRole : await roleOf(deps, crawl, note)
  return {
    crawlId: crawl.id,
    hostname: crawl.hostname,
    startedBy: crawl.startedBy,
    startTimestamp: crawl.startedAt,
    endTimestamp: crawl.endedAt,
    outScopeUrls: crawl.outScopeUrls,
    urlTemplatePatterns: crawl.urlTemplatePatterns,
    applicationPages: crawl.applicationPages,
    status: crawl.status ?? 'PENDING',
    moduleName: crawl.moduleName ?? builtInModule,
    username: isForm ? secrets.username : null,
    password: isForm ? secrets.password : null,
    apiKey: isKey || !secrets.isApiKeyForTarget ? secrets.apiKey : null,
    isApiKeyForTarget: isKey,
    dashboardUrl: crawl.dashboardUrl,
    collectionId: crawl.collectionId,
    accountId: ACCOUNT,
    errorMessage: crawl.errorMessage,
    cookies: bearerOf(role.headers),
    crawlingTime: crawl.crawlingSeconds,
    customHeaders: { ...secrets.customHeaders },
    runTestAfterCrawling: crawl.isTestedAfter,
    testRoleHexId: crawl.testRoleId,
    testRoleName: role.name,
    harmfulActions: crawl.harmfulActions,
    roleHeaders: { ...role.headers },
    recordedFlow: role.flow,
    spentSeconds: crawl.activeMs / 1000,
    helperOf: null,
  }
}

async function roleOf(
  deps: RoleLoginDeps,
  crawl: CrawlRun,
  note: (error: string | null) => Promise<void>,
): Promise<RoleLogin> {
  if (crawl.testRoleId === null) return noRole
  const role = await roleLogin(deps, crawl.testRoleId, crawl.hostname, crawl.startedBy)
  await note(role.error)
  return role
}

async function noteRole({ store }: RoleLoginDeps, crawl: CrawlRun, error: string | null): Promise<void> {
  await noteLogin(store, crawl.id, error)
  if (error !== null) await logToCrawl(store, crawl.id, 'warning', error)
}

/** The first credential of a role as modules of other makers read it: a bearer value; null without any. */
export function bearerOf(headers: Readonly<Record<string, string>>): string | null {
  const [first] = Object.values(headers)
  if (first === undefined) return null
  return first.startsWith('Bearer ') ? first : `Bearer ${first}`
}
