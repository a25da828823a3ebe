import type { App, TraceIntake } from '../app/index.ts'
import type { BodyDrain } from './body-drain.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { LargeBodies } from './large-bodies.ts'
import type { Metrics } from './metrics.ts'

/** What the routes of one server share. */
export interface ServerParts {
  readonly app: App
  /** For all bodies. */
  readonly budget: ByteBudget
  /** For live batches, from their headers to their answer: small, so that what is taken is also answered soon. */
  readonly ingestBudget: ByteBudget
  readonly connections: ConnectionLimits
  readonly drain: BodyDrain
  readonly largeBodies: LargeBodies
  readonly traces: TraceIntake
  readonly metrics: Metrics
  /** Folder of the built dashboard, or null when it was not built. */
  readonly dashboardDir: string | null
}
