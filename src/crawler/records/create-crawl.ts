import { randomUUID } from 'node:crypto'
import { nowSeconds, type Sealer, storableContext } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { HarmfulActions } from './crawl-run.ts'

/** What a crawl signs in with and sends along; stored sealed, forgotten at its end. */
interface CrawlSecrets {
  readonly username: string | null
  readonly password: string | null
  readonly apiKey: string | null
  /** False: the key is one of this installation, for calls back of a module, and never goes to the target. */
  readonly isApiKeyForTarget: boolean
  readonly customHeaders: Readonly<Record<string, string>>
}

/** A crawl to be made. */
export interface NewCrawl {
  readonly hostname: string
  readonly startedBy: string
  readonly collectionId: number
  /** Null: the built-in crawler. */
  readonly moduleName: string | null
  readonly crawlingSeconds: number
  readonly harmfulActions: HarmfulActions
  readonly isTestedAfter: boolean
  readonly executor: string | null
  readonly outScopeUrls: string | null
  readonly urlTemplatePatterns: string | null
  readonly applicationPages: string | null
  readonly testRoleId: string | null
  readonly dashboardUrl: string
  readonly secrets: CrawlSecrets
}

/** Makes a crawl, PENDING; @returns its id. */
export async function createCrawl(
  store: Store,
  sealer: Sealer,
  crawl: NewCrawl,
  now = nowSeconds(),
): Promise<string> {
  const id = randomUUID()
  await store.pool.query(
    `INSERT INTO crawls (id, hostname, started_by, collection_id, module_name, status, crawling_seconds,
       harmful_actions, is_tested_after, executor, out_scope_urls, url_template_patterns, application_pages,
       test_role_id, dashboard_url, sealed_secrets, created_at, started_at, request_context)
     VALUES ($1, $2, $3, $4, $5, 'PENDING', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17)`,
    [
      id,
      crawl.hostname,
      crawl.startedBy,
      crawl.collectionId,
      crawl.moduleName,
      crawl.crawlingSeconds,
      crawl.harmfulActions,
      crawl.isTestedAfter,
      crawl.executor,
      crawl.outScopeUrls,
      crawl.urlTemplatePatterns,
      crawl.applicationPages,
      crawl.testRoleId,
      crawl.dashboardUrl,
      sealSecrets(sealer, id, crawl.secrets),
      now,
      storableContext(),
    ],
  )
  return id
}

function sealSecrets(sealer: Sealer, id: string, secrets: CrawlSecrets): string | null {
  const { username, password, apiKey, customHeaders } = secrets
  const isEmpty = username === null && password === null && apiKey === null
  if (isEmpty && Object.keys(customHeaders).length === 0) return null
  return sealer.seal(JSON.stringify(secrets), `crawl:${id}`)
}

/** The secrets of a crawl that has not ended. @throws Failure SEAL_BROKEN when the instance key changed */
export function openSecrets(
  sealer: Sealer,
  { id, sealedSecrets }: { readonly id: string; readonly sealedSecrets: string | null },
): CrawlSecrets {
  if (sealedSecrets === null)
    return { username: null, password: null, apiKey: null, isApiKeyForTarget: true, customHeaders: {} }
  return JSON.parse(sealer.open(sealedSecrets, `crawl:${id}`)) as CrawlSecrets
}
