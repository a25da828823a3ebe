import { elections } from './0002-elections.ts'
import { issueCare } from './0003-issue-care.ts'
import { testRecords } from './0004-test-records.ts'
import { filterStates } from './0005-filter-states.ts'
import { secondFactors } from './0006-second-factors.ts'
import { undoIgnored } from './0007-undo-ignored.ts'
import { scheduleZones } from './0008-schedule-zones.ts'
import { endpointResults } from './0009-endpoint-results.ts'
import { importedFindings } from './0010-imported-findings.ts'
import { copiedTests } from './0011-copied-tests.ts'
import { evidenceRevisions } from './0012-evidence-revisions.ts'
import { testCases } from './0013-test-cases.ts'
import { partitions } from './0014-partitions.ts'
import { attacksByEndpoint } from './0015-attacks-by-endpoint.ts'
import { endpointCare } from './0016-endpoint-care.ts'
import { requestContexts } from './0017-request-contexts.ts'
import { news } from './0018-news.ts'
import { endpointDurations } from './0019-endpoint-durations.ts'
import { eventPartitions } from './0020-event-partitions.ts'
import { endpointsInOrder } from './0021-endpoints-in-order.ts'
import { undoSeverity } from './0022-undo-severity.ts'
import { attackerSamples } from './0023-attacker-samples.ts'
import { access } from './baseline/access.ts'
import { alerts } from './baseline/alerts.ts'
import { crawls } from './baseline/crawls.ts'
import { inventory } from './baseline/inventory.ts'
import { issues } from './baseline/issues.ts'
import { testing } from './baseline/testing.ts'
import { threatCounts } from './baseline/threat-counts.ts'
import { threats } from './baseline/threats.ts'

/** One step of the schema. */
export interface Migration {
  /** Number and intent. */
  readonly name: string
  readonly sql: string
  /** True: a program that does not know it must not touch the store. */
  readonly isBreaking: boolean
}

/** The schema of the first release, in the order of its references. */
const baseline = [inventory, access, issues, testing, alerts, crawls, threats, threatCounts].join('')

/** Every migration in order. Append only; one that was released is never edited. */
export const migrations: readonly Migration[] = [
  { name: '0001-baseline', sql: baseline, isBreaking: true },
  { name: '0002-elections', sql: elections, isBreaking: false },
  { name: '0003-issue-care', sql: issueCare, isBreaking: false },
  { name: '0004-test-records', sql: testRecords, isBreaking: false },
  { name: '0005-filter-states', sql: filterStates, isBreaking: false },
  { name: '0006-second-factors', sql: secondFactors, isBreaking: false },
  { name: '0007-undo-ignored', sql: undoIgnored, isBreaking: false },
  { name: '0008-schedule-zones', sql: scheduleZones, isBreaking: false },
  { name: '0009-endpoint-results', sql: endpointResults, isBreaking: false },
  { name: '0010-imported-findings', sql: importedFindings, isBreaking: false },
  { name: '0011-copied-tests', sql: copiedTests, isBreaking: false },
  { name: '0012-evidence-revisions', sql: evidenceRevisions, isBreaking: false },
  { name: '0013-test-cases', sql: testCases, isBreaking: false },
  { name: '0014-partitions', sql: partitions, isBreaking: false },
  { name: '0015-attacks-by-endpoint', sql: attacksByEndpoint, isBreaking: false },
  { name: '0016-endpoint-care', sql: endpointCare, isBreaking: false },
  { name: '0017-request-contexts', sql: requestContexts, isBreaking: false },
  { name: '0018-news', sql: news, isBreaking: false },
  { name: '0019-endpoint-durations', sql: endpointDurations, isBreaking: false },
  { name: '0020-event-partitions', sql: eventPartitions, isBreaking: false },
  { name: '0021-endpoints-in-order', sql: endpointsInOrder, isBreaking: false },
  { name: '0022-undo-severity', sql: undoSeverity, isBreaking: false },
  { name: '0023-attacker-samples', sql: attackerSamples, isBreaking: false },
]
