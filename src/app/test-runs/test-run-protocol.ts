import type { FilterWarning } from '../../contract/index.ts'
import type { Log, LogEvent, LogEvents, LogLevel, Settings } from '../../kit/index.ts'
import type { StoreAddress } from '../../store/index.ts'
import type { EvidenceFile, FlowPlayer, jwkSet, OneTimeCodes, ResultDetail } from '../../testing/index.ts'
import type { EventFilter, EventList, EventPage } from '../../threat/index.ts'
import type { FoundMessage } from '../message-mask.ts'
import type { SentCases, TriedCase } from '../template-cases/try-cases.ts'
import type { FilterTrial, TriedFilter } from '../threat/try-filter.ts'
import type { DryRunPage, DryRunQuestion } from './dry-runs.ts'
import type { PlaygroundTrial, SentTrial } from './playground.ts'
import type { saveTest, WrittenTest } from './save-test.ts'
import type { SentLogin, TriedLogin } from './try-login.ts'

/** What the thread of test runs starts with. */
export interface TestRunSetup {
  readonly address: StoreAddress
  readonly settings: Settings
  /** What targets are asked to call, and where the keys of tampered tokens are served; null without a listener. */
  readonly callbacks: { readonly url: string; readonly keysUrl: string } | null
  /** Listeners of this installation, `address:port`. */
  readonly own: readonly string[]
}

/** A filter that can be used, and what is odd about it. */
export interface ReadFilter {
  readonly id: string
  readonly warnings: FilterWarning[]
}

/** A search for a pattern in the messages of events. */
export interface SentSearch {
  readonly filter: EventFilter
  readonly page: EventPage
  /** In RE2 syntax. */
  readonly source: string
  /** The caller sees whole messages, so that what is masked for others can be found. */
  readonly isUnmasked: boolean
}

/** What the thread answers. */
export type TestRunMethods = {
  /** Looks for work now instead of at the next tick. */
  wake(): Promise<void>
  /** Resolves when every request that this process sent so far is in the log of its run. */
  logWritten(): Promise<void>
  tryTest(trial: SentTrial): Promise<PlaygroundTrial>
  findTrial(id: string, user: string): Promise<PlaygroundTrial>
  tryCases(sent: SentCases): Promise<TriedCase[]>
  tryLogin(login: SentLogin): Promise<TriedLogin>
  dryRun(question: DryRunQuestion): Promise<DryRunPage>
  saveTest(test: WrittenTest): ReturnType<typeof saveTest>
  readFilter(content: string): ReadFilter
  tryFilter(trial: FilterTrial): Promise<TriedFilter>
  searchPayloads(search: SentSearch): Promise<EventList>
  maskMessages(messages: readonly FoundMessage[], maxBody?: number): Promise<FoundMessage[]>
  exportEvidence(result: ResultDetail, isUnmasked: boolean): Promise<EvidenceFile>
  close(): Promise<void>
}

/** What the main thread answers. */
export type MainMethods = {
  log(level: LogLevel, event: LogEvent, fields: LogEvents[LogEvent]): void
  play(...call: Parameters<FlowPlayer['play']>): ReturnType<FlowPlayer['play']>
  oneTimeCode(...call: Parameters<OneTimeCodes>): ReturnType<OneTimeCodes>
  publishKeys(keys: ReturnType<typeof jwkSet>): void
}

/** A log whose lines are written by somebody else. */
export function logOver(write: MainMethods['log']): Log {
  return {
    error: (event, fields) => write('error', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    info: (event, fields) => write('info', event, fields),
    debug: (event, fields) => write('debug', event, fields),
    flush: () => {},
  }
}
