import { callerOfKey } from '../../access/index.ts'
import { crawlerModuleSilence, crawlingSeconds } from '../../contract/index.ts'
import {
  availableModules,
  CrawlScope,
  createCrawl,
  type HarmfulActions,
  splitList,
} from '../../crawler/index.ts'
import { Failure } from '../../kit/index.ts'
import { findRole } from '../../testing/index.ts'
import { baseUrlOf } from '../base-url.ts'
import type { Call } from '../handler.ts'
import { crawlCollection } from './crawl-collection.ts'

/** What a person asks for; blank texts count as absent. */
export interface CrawlOrder {
  readonly hostname: string
  readonly crawlingTime: number
  readonly outscopeUrls: string | null
  readonly urlTemplatePatterns: string | null
  readonly applicationPages: string | null
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
export type CrawlDestination = { readonly collectionId: number } | { readonly collectionName: string | null }

/**
 * Checks an order and makes its crawl, without any effect before all is checked; @returns its id.
 *
 * @throws Failure INVALID_CRAWLING_TIME, INVALID_HOSTNAME, CRAWL_SCOPE_INVALID, CRAWLER_MODULE_UNAVAILABLE,
 *   TEST_ROLE_NOT_FOUND, and those of the collection
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
  const hostname = order.hostname.trim()
  if (!/^https?:\/\//i.test(hostname) || !URL.canParse(hostname)) throw new Failure('INVALID_HOSTNAME', {})
  checkScope(order, hostname)
  const moduleName = textOf(order.selectedModuleName)
  if (moduleName !== null) {
    const modules = await availableModules(app.store, crawlerModuleSilence)
    if (!modules.some(({ name }) => name === moduleName)) throw new Failure('CRAWLER_MODULE_UNAVAILABLE', {})
  }
  const roleId = textOf(order.testRoleHexId)
  if (
    roleId !== null &&
    (await findRole(app.store, app.sealer, roleId.toLowerCase()))?.id !== roleId.toLowerCase()
  )
    throw new Failure('TEST_ROLE_NOT_FOUND', {})
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
    applicationPages: textOf(order.applicationPages),
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
  app.crawls.look()
  return id
}

function checkScope(order: CrawlOrder, hostname: string): void {
  const scope = CrawlScope.read({
    start: hostname,
    outscope: splitList(order.outscopeUrls),
    templates: splitList(order.urlTemplatePatterns),
  })
  if (typeof scope === 'string') throw new Failure('CRAWL_SCOPE_INVALID', { reason: scope })
  for (const name of Object.keys(order.customHeaders ?? {})) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw new Failure('CRAWL_SCOPE_INVALID', {
        reason: `customHeaders: ${name.slice(0, 100)} is no header name`,
      })
  }
}

function textOf(text: string | null): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}
