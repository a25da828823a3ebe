import { ground } from './0001-ground.ts'
import { testing } from './0002-testing.ts'
import { retention } from './0003-retention.ts'
import { lists } from './0004-lists.ts'
import { changes } from './0005-changes.ts'
import { evidence } from './0006-evidence.ts'
import { reports } from './0007-reports.ts'
import { shards } from './0007-shards.ts'
import { outbox } from './0008-outbox.ts'
import { callbacks } from './0009-callbacks.ts'
import { listFigures } from './0010-list-figures.ts'
import { laterFacts } from './0011-later-facts.ts'
import { runTroubles } from './0012-run-troubles.ts'
import { crawls } from './0013-crawls.ts'
import { threatWindows } from './0014-threat-windows.ts'
import { listedEndpoints } from './0015-listed-endpoints.ts'
import { threatEvents } from './0016-threat-events.ts'
import { recordedFlows } from './0017-recorded-flows.ts'
import { crawlOrder } from './0018-crawl-order.ts'
import { latestActors } from './0019-latest-actors.ts'
import { crawlWorkers } from './0020-crawl-workers.ts'
import { codeSteps } from './0021-code-steps.ts'
import { keyExpiry } from './0022-key-expiry.ts'
import { knownBefore } from './0023-known-before.ts'
import { rights } from './0026-rights.ts'
import { issueCauses } from './0027-issue-causes.ts'
import { generatedRequests } from './0028-generated-requests.ts'
import { executionRecords } from './0031-execution-records.ts'
import { riskChanges } from './0032-risk-changes.ts'
import { sensitiveEndpoints } from './0033-sensitive-endpoints.ts'
import { crawlSummary } from './0034-crawl-summary.ts'
import { runWrites } from './0035-run-writes.ts'
import { messageCollections } from './0036-message-collections.ts'
import { attackEvents } from './0037-attack-events.ts'
import { sampleLacks } from './0038-sample-lacks.ts'
import { signInFailures } from './0039-sign-in-failures.ts'
import { userIdentities } from './0040-user-identities.ts'
import { auditLog } from './0041-audit-log.ts'
import { passwordResets } from './0042-password-resets.ts'
import { shardLeases } from './0043-shard-leases.ts'

/** One step of the schema. */
export interface Migration {
  /** Number and intent. */
  readonly name: string
  readonly sql: string
  /** True: a program that does not know it must not touch the store. */
  readonly isBreaking: boolean
}

/** Every migration in order. Append only. */
export const migrations: readonly Migration[] = [
  { name: '0001-ground', sql: ground, isBreaking: true },
  { name: '0002-testing', sql: testing, isBreaking: true },
  { name: '0003-retention', sql: retention, isBreaking: false },
  { name: '0004-lists', sql: lists, isBreaking: false },
  { name: '0005-changes', sql: changes, isBreaking: false },
  { name: '0006-evidence', sql: evidence, isBreaking: false },
  { name: '0007-shards', sql: shards, isBreaking: true },
  { name: '0007-reports', sql: reports, isBreaking: false },
  { name: '0008-outbox', sql: outbox, isBreaking: false },
  { name: '0009-callbacks', sql: callbacks, isBreaking: false },
  { name: '0010-list-figures', sql: listFigures, isBreaking: false },
  { name: '0011-later-facts', sql: laterFacts, isBreaking: false },
  { name: '0012-run-troubles', sql: runTroubles, isBreaking: false },
  { name: '0013-crawls', sql: crawls, isBreaking: false },
  { name: '0014-threat-windows', sql: threatWindows, isBreaking: false },
  { name: '0015-listed-endpoints', sql: listedEndpoints, isBreaking: false },
  { name: '0016-threat-events', sql: threatEvents, isBreaking: false },
  { name: '0017-recorded-flows', sql: recordedFlows, isBreaking: false },
  { name: '0018-crawl-order', sql: crawlOrder, isBreaking: false },
  { name: '0019-latest-actors', sql: latestActors, isBreaking: false },
  { name: '0020-crawl-workers', sql: crawlWorkers, isBreaking: false },
  { name: '0021-code-steps', sql: codeSteps, isBreaking: false },
  { name: '0022-key-expiry', sql: keyExpiry, isBreaking: false },
  { name: '0023-known-before', sql: knownBefore, isBreaking: false },
  { name: '0026-rights', sql: rights, isBreaking: false },
  { name: '0027-issue-causes', sql: issueCauses, isBreaking: false },
  { name: '0028-generated-requests', sql: generatedRequests, isBreaking: false },
  { name: '0031-execution-records', sql: executionRecords, isBreaking: true },
  { name: '0032-risk-changes', sql: riskChanges, isBreaking: true },
  { name: '0033-sensitive-endpoints', sql: sensitiveEndpoints, isBreaking: true },
  { name: '0034-crawl-summary', sql: crawlSummary, isBreaking: false },
  { name: '0035-run-writes', sql: runWrites, isBreaking: true },
  { name: '0036-message-collections', sql: messageCollections, isBreaking: false },
  { name: '0037-attack-events', sql: attackEvents, isBreaking: false },
  { name: '0038-sample-lacks', sql: sampleLacks, isBreaking: false },
  { name: '0039-sign-in-failures', sql: signInFailures, isBreaking: false },
  { name: '0040-user-identities', sql: userIdentities, isBreaking: false },
  { name: '0041-audit-log', sql: auditLog, isBreaking: false },
  { name: '0042-password-resets', sql: passwordResets, isBreaking: false },
  { name: '0043-shard-leases', sql: shardLeases, isBreaking: true },
]
