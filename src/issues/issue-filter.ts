import type { IssueKey } from './fingerprint.ts'
import { fingerprintOf } from './fingerprint.ts'
import { DUE_AT } from './issue-view.ts'

/** Which issues are meant. Null and empty lists filter nothing; everything given must fit. */
export interface IssueFilter {
  /** Collections that the caller may see; null = all. Unlike the other lists an empty one means none. */
  readonly visible: readonly number[] | null
  /** Collections or groups. */
  readonly collectionIds?: readonly number[] | null
  readonly severities?: readonly string[] | null
  readonly testIds?: readonly string[] | null
  readonly categories?: readonly string[] | null
  readonly statuses?: readonly string[] | null
  /** Earliest creation, included; 0 or less for no bound. */
  readonly createdFrom?: number
  /** Latest creation, not included; 0 or less for no bound. */
  readonly createdBefore?: number
  /** Leave out deactivated collections. */
  readonly activeOnly?: boolean
  /** Places of these causes. */
  readonly causeKeys?: readonly string[] | null
  /** Exactly these, when given. */
  readonly keys?: readonly IssueKey[] | null
  /** Text in the name or id of the test, its CWE, the URL, the cause, the note or the ticket, without regard to case. */
  readonly text?: string | null
  /** Logins; '' for issues that nobody has. */
  readonly assignees?: readonly string[] | null
  /** Open again since this moment; 0 or less for no bound. */
  readonly reopenedFrom?: number
  /** Fixed since this moment and not open again; 0 or less for no bound. */
  readonly fixedFrom?: number
  /** Open at the end of the second before this moment; 0 or less for no bound. */
  readonly openBefore?: number
  /** Any of these tags. */
  readonly tags?: readonly string[] | null
  /** Open and due before this moment; 0 or less for no bound. */
  readonly dueBefore?: number
  /** Places at this endpoint. */
  readonly endpoint?: Pick<IssueKey, 'collectionId' | 'method' | 'url'> | null
}

/** Number of parameters of {@link ISSUE_CONDITIONS}; those of the statement itself come after. */
export const ISSUE_PARAMETERS = 21

/** Whether the last change of status before moment $16 left issue `i` open; without one it was as it was created. */
const WAS_OPEN = `coalesce((SELECT h.to_value FROM issue_history h
    WHERE h.issue_id = i.id AND h.kind = 'STATUS' AND h.at < $16 ORDER BY h.at DESC, h.id DESC LIMIT 1), 'OPEN') = 'OPEN'`

/** Restricts issues `i`; parameters by {@link issueParameters}. Findings of the test editor are never meant. */
export const ISSUE_CONDITIONS = `i.source <> 'TEST_EDITOR'
  AND ($1::integer[] IS NULL OR i.collection_id = ANY ($1))
  AND ($2::integer[] IS NULL OR i.collection_id = ANY ($2) OR i.endpoint_id IN (
    SELECT g.endpoint_id FROM group_members g WHERE g.group_id = ANY ($2)))
  AND ($3::text[] IS NULL OR i.severity = ANY ($3))
  AND ($4::text[] IS NULL OR i.test_id = ANY ($4))
  AND ($5::text[] IS NULL OR i.category = ANY ($5))
  AND ($6::text[] IS NULL OR i.status = ANY ($6))
  AND ($7::integer <= 0 OR i.created_at >= $7)
  AND ($8::integer <= 0 OR i.created_at < $8)
  AND (NOT $9::boolean OR i.collection_id NOT IN (SELECT c.id FROM collections c WHERE c.is_deactivated))
  AND ($10::text[] IS NULL OR i.fingerprint = ANY ($10))
  AND ($11::text[] IS NULL OR i.cause_key = ANY ($11))
  AND ($12::text IS NULL OR strpos(lower(concat_ws(' ', i.test_id, i.url, i.cause_place, i.description, i.ticket_id)),
      lower($12)) > 0 OR i.test_id IN (SELECT t.id FROM described_tests t
      WHERE strpos(lower(t.name || ' ' || array_to_string(t.cwe, ' ')), lower($12)) > 0))
  AND ($13::text[] IS NULL OR coalesce(i.assignee, '') = ANY ($13))
  AND ($14::integer <= 0 OR i.status = 'OPEN' AND i.reopened_at >= $14)
  AND ($15::integer <= 0 OR i.status = 'FIXED' AND EXISTS (SELECT FROM issue_history h
    WHERE h.issue_id = i.id AND h.kind = 'STATUS' AND h.to_value = 'FIXED' AND h.at >= $15))
  AND ($16::integer <= 0 OR i.created_at < $16 AND ${WAS_OPEN})
  AND ($17::text[] IS NULL OR i.tags && $17)
  AND ($18::integer <= 0 OR ${DUE_AT} < $18)
  AND ($19::integer IS NULL OR i.collection_id = $19 AND i.method = $20 AND i.url = $21::text)`

/** Values of the first {@link ISSUE_PARAMETERS} parameters. */
export function issueParameters(filter: IssueFilter): unknown[] {
  return [
    filter.visible,
    orNull(filter.collectionIds),
    orNull(filter.severities),
    orNull(filter.testIds),
    orNull(filter.categories),
    orNull(filter.statuses),
    filter.createdFrom ?? 0,
    filter.createdBefore ?? 0,
    filter.activeOnly ?? false,
    orNull(filter.keys)?.map(fingerprintOf) ?? null,
    orNull(filter.causeKeys),
    filter.text || null,
    orNull(filter.assignees),
    filter.reopenedFrom ?? 0,
    filter.fixedFrom ?? 0,
    filter.openBefore ?? 0,
    orNull(filter.tags),
    filter.dueBefore ?? 0,
    filter.endpoint?.collectionId ?? null,
    filter.endpoint?.method ?? null,
    filter.endpoint?.url ?? null,
  ]
}

function orNull<T>(list: readonly T[] | null | undefined): readonly T[] | null {
  return list === null || list === undefined || list.length === 0 ? null : list
}
