import type { InventoryPort } from '../../inventory/index.ts'
import type { Settings } from '../../kit/index.ts'
import type { TemplateCatalogue } from '../../testing/index.ts'
import type { TestRuns } from '../test-runs/test-runs.ts'
import type { RoleLoginDeps } from './role-login.ts'

/** What crawling needs of the installation. */
export interface CrawlDeps extends Omit<RoleLoginDeps, 'audit'> {
  readonly settings: Settings
  readonly inventory: InventoryPort
  readonly catalogue: TemplateCatalogue
  readonly testRuns: TestRuns
}
