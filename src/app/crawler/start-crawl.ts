import { callerOfKey } from '../../access/index.ts'
import { crawlerModuleSilence, crawlingSeconds } from '../../contract/index.ts'
import {
  availableModules,
  CrawlScope,
  createCrawl,
  type HarmfulActions,
  isConnectionHeader,
  splitList,
} from '../../crawler/index.ts'
import { Failure } from '../../kit/index.ts'
import { findRole } from '../../testing/index.ts'
import { baseUrlOf } from '../base-url.ts'
import type { Call } from '../handler.ts'
import { checkTarget } from './check-target.ts'
import { crawlCollection } from './crawl-collection.ts'
import { withJourneys } from './journey-pages.ts'

/** Longest address or header value, and longest list of pages or patterns, in characters. */
const MAX_URL = 8192
const MAX_LIST = 100_000

/** What a person asks for; blank texts count as absent. */
interface CrawlOrder {
  readonly hostname: string
  readonly crawlingTime: number
  readonly outscopeUrls: string | null
  readonly urlTemplatePatterns: string | null
  readonly applicationPages: string | null
  /** Texts of recorded journeys, whose pages are added. */
  readonly journeys: readonly string[] | null
  readonly testRoleHexId: string | null
  readonly username: string | null
  readonly password: string | null
  readonly apiKey: string | null
  readonly dashboardUrl: string | null
  readonly runTestAfterCrawling: boolean
  readonly selectedMiniTestingService: string | null
  readonly selectedModuleName: string | null
  readonly customHeaders: Readonly<Record<string, string>> | null
  readonly harmfulActions: HarmfulActions
}

/** Where the crawl of an order puts what it captures: a collection that is known, or one by name (null: the host). */
type CrawlDestination = { readonly collectionId: number } | { readonly collectionName: string | null }

/**
 * Checks an order and makes its crawl, without any effect before all is checked; @returns its id.
 *
 * @throws Failure INVALID_CRAWLING_TIME, INVALID_HOSTNAME, CRAWL_SCOPE_INVALID, CRAWL_TARGET_REFUSED,
 *   CRAWLER_MODULE_UNAVAILABLE, TEST_ROLE_NOT_FOUND, and those of the collection
 */
export async function startCrawl(
  order: CrawlOrder,
  destination: CrawlDestination,
  call: Pick<Call, 'app' | 'caller'>,
): Promise<string> {
  const { app, caller } = call
  const time = order.crawlingTime
  if (time < crawlingSeconds.least || time > crawlingSeconds.most)
    throw new Failure('INVALID_CRAWLING_TIME', {})
  const hostname = readHostname(order.hostname)
  const applicationPages = withJourneys(order.applicationPages, order.journeys, hostname)
  checkScope({ ...order, applicationPages }, hostname)
  const moduleName = textOf(order.selectedModuleName)
  checkTarget(new URL(hostname), moduleName === null ? app.crawls.deps.own : [], app.crawls.deps.allowed)
  if (moduleName !== null) {
    const modules = await availableModules(app.store, crawlerModuleSilence)
    if (!modules.some(({ name }) => name === moduleName)) throw new Failure('CRAWLER_MODULE_UNAVAILABLE', {})
  }
  const roleId = textOf(order.testRoleHexId)
  if (
    roleId !== null &&
    (await findRole(app.store, app.sealer, roleId.toLowerCase()))?.id !== roleId.toLowerCase()
  )
    throw new Failure('TEST_ROLE_NOT_FOUND', { role: roleId })
  const apiKey = textOf(order.apiKey)
  const isOwnKey = apiKey !== null && (await callerOfKey(app.access, apiKey)) !== null
  const collectionId =
    'collectionId' in destination
      ? destination.collectionId
      : await crawlCollection(call, hostname, textOf(destination.collectionName))
  const id = await createCrawl(app.store, app.sealer, {
    hostname,
    startedBy: caller.login,
    collectionId,
    moduleName,
    crawlingSeconds: time,
    harmfulActions: order.harmfulActions,
    isTestedAfter: order.runTestAfterCrawling,
    executor: order.runTestAfterCrawling ? textOf(order.selectedMiniTestingService) : null,
    outScopeUrls: textOf(order.outscopeUrls),
    urlTemplatePatterns: textOf(order.urlTemplatePatterns),
    applicationPages: textOf(applicationPages),
    testRoleId: roleId?.toLowerCase() ?? null,
    dashboardUrl: textOf(order.dashboardUrl) ?? baseUrlOf(app.settings),
    secrets: {
      username: textOf(order.username),
      // A password may begin or end with blanks.
      password: order.password === '' ? null : order.password,
      apiKey,
      isApiKeyForTarget: !isOwnKey,
      customHeaders: order.customHeaders ?? {},
    },
  })
  app.crawls.wake()
  return id
}

/** The URL to start from. One with credentials in it would be shown to everybody who sees the crawl. */
function readHostname(text: string): string {
  const hostname = text.trim()
  const isUrl = hostname.length <= MAX_URL && /^https?:\/\//i.test(hostname) && URL.canParse(hostname)
  const url = isUrl ? new URL(hostname) : null
  if (url === null || url.username !== '' || url.password !== '') throw new Failure('INVALID_HOSTNAME', {})
  return hostname
}

function checkScope(order: CrawlOrder, hostname: string): void {
  const refused = (reason: string): Failure => new Failure('CRAWL_SCOPE_INVALID', { reason })
  for (const [name, text] of Object.entries({
    outscopeUrls: order.outscopeUrls,
    urlTemplatePatterns: order.urlTemplatePatterns,
    applicationPages: order.applicationPages,
  })) {
    if ((text ?? '').length > MAX_LIST) throw refused(`${name}: longer than ${MAX_LIST} characters`)
  }
  const scope = CrawlScope.read({
    start: hostname,
    outscope: splitList(order.outscopeUrls),
    templates: splitList(order.urlTemplatePatterns),
  })
  if (typeof scope === 'string') throw refused(scope)
  for (const [name, value] of Object.entries(order.customHeaders ?? {})) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name))
      throw refused(`customHeaders: ${name.slice(0, 100)} is not a header name`)
    if (isConnectionHeader(name))
      throw refused(`customHeaders: ${name} is written by the browser and cannot be sent with another value`)
    if (value.length > MAX_URL || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw refused(`customHeaders: ${name} has a value that no header can carry`)
  }
}

function textOf(text: string | null): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}
