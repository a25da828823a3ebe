import type { Access, Caller, SingleSignOn } from '../access/index.ts'
import type { Mailer, Notifier } from '../alerts/index.ts'
import type { AnswerOf, OperationName, RequestOf } from '../contract/index.ts'
import type { InventoryPort } from '../inventory/index.ts'
import type { Log, Sealer, Settings } from '../kit/index.ts'
import type { ReportMaker } from '../reports/index.ts'
import type { Store } from '../store/index.ts'
import type { ReadReplica } from '../store/owner.ts'
import type { TemplateCatalogue } from '../testing/index.ts'
import type { ChangeFeed } from './changes/change-feed.ts'
import type { CrawlService } from './crawler/crawl-service.ts'
import type { Election } from './election.ts'
import type { Imports } from './imports.ts'
import type { FlowService } from './recordings/flow-service.ts'
import type { StreamIntake } from './stream/stream-intake.ts'
import type { TemplateFolders } from './test-runs/template-folders.ts'
import type { TestRuns } from './test-runs/test-runs.ts'
import type { Detection } from './threat/detection.ts'
import type { ThreatMaintenance } from './threat/threat-maintenance.ts'

export type { Caller } from '../access/index.ts'

/** The running product: what a handler may use. */
export interface App {
  readonly settings: Settings
  readonly log: Log
  readonly store: Store
  /** A standby that lists are read from; null when the settings name none. */
  readonly replica: ReadReplica | null
  /** Seals secrets that must be readable again. */
  readonly sealer: Sealer
  readonly access: Access
  /** Sign-in with OpenID Connect; null when the settings name no provider. */
  readonly singleSignOn: SingleSignOn | null
  /** Sends mail; null when the settings name no mail server. */
  readonly mailer: Mailer | null
  readonly inventory: InventoryPort
  /** Looks for threats in traffic. */
  readonly detection: Detection
  /** Keeps the block list, and removes old events. */
  readonly threats: ThreatMaintenance
  readonly imports: Imports
  /** Who does what only one process of the store does. */
  readonly election: Election
  /** Reads the message stream; null when the settings name none. */
  readonly stream: StreamIntake | null
  /** The tests there are. */
  readonly catalogue: TemplateCatalogue
  /** Folders of tests of the operator's own. */
  readonly templates: TemplateFolders
  /** Works off test runs. */
  readonly testRuns: TestRuns
  /** Delivers alerts and makes tickets. */
  readonly notifier: Notifier
  /** Makes reports. */
  readonly reports: ReportMaker
  /** Works off crawls. */
  readonly crawls: CrawlService
  /** Tells what changes, for pages that show it. */
  readonly changes: ChangeFeed
  /** Plays recorded logins. */
  readonly flows: FlowService
}

/** One call of an operation. */
export interface Call {
  readonly app: App
  readonly caller: Caller
  /** Address of the caller; Origin and User-Agent as sent, or null. */
  readonly ip: string
  readonly origin: string | null
  readonly userAgent: string | null
  /**
   * The body as it came, for the operations that read it off the main thread (server/raw-bodies.ts); the input of
   * these is empty. Null for all others. The bytes own their memory, so they can be transferred to another thread.
   */
  readonly rawBody: Uint8Array | null
  /** Extra response headers a handler may set, lower-case names. */
  readonly responseHeaders: Map<string, string>
}

/** Behaviour of one operation: reads the checked request, returns the meaningful fields of the answer. */
export type Handler<N extends OperationName> = (input: RequestOf<N>, call: Call) => Promise<AnswerOf<N>>

/** Handlers by operation; an absent one answers 501. */
export type Handlers = { readonly [N in OperationName]?: Handler<N> }
