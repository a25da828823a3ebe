import type { App } from '../app/index.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { LargeBodies } from './large-bodies.ts'
import type { Metrics } from './metrics.ts'

/** What the routes of one server share. */
export interface ServerParts {
  readonly app: App
  readonly budget: ByteBudget
  readonly largeBodies: LargeBodies
  readonly metrics: Metrics
  /** Folder of the built dashboard, or null when it was not built. */
  readonly dashboardDir: string | null
}
