/** A table that is partitioned by time. */
export interface PartitionedTable {
  readonly table: string
  /** Column that partitions are cut by. */
  readonly key: string
  /** HEX_ID: ids that begin with their creation in hexadecimal seconds. SECONDS, MINUTES: since the epoch. */
  readonly keyKind: 'HEX_ID' | 'SECONDS' | 'MINUTES'
  /** Seconds of one partition; they begin at multiples of it since the epoch. The migrations have the same. */
  readonly span: number
  /** Column that archived rows are read in the order of, unique within a partition; null: not archived. */
  readonly id: string | null
  /** Storage parameters of a partition, which the table itself cannot have. */
  readonly storage: string
}

const MONTH = 30 * 86_400
const WEEK = 7 * 86_400

export const partitionedTables = {
  results: {
    table: 'run_results',
    key: 'summary_id',
    keyKind: 'HEX_ID',
    span: MONTH,
    id: 'id',
    storage: 'WITH (fillfactor = 90)',
  },
  evidence: {
    table: 'result_evidence',
    key: 'result_id',
    keyKind: 'HEX_ID',
    span: MONTH,
    id: 'result_id',
    storage: '',
  },
  outgoingRequests: {
    table: 'outgoing_requests',
    key: 'sent_at',
    keyKind: 'SECONDS',
    span: MONTH,
    id: 'id',
    storage: '',
  },
  events: {
    table: 'threat_events',
    key: 'detected_at',
    keyKind: 'SECONDS',
    span: WEEK,
    id: null,
    storage: '',
  },
  callMinutes: {
    table: 'call_minutes',
    key: 'minute',
    keyKind: 'MINUTES',
    span: WEEK,
    id: null,
    storage: 'WITH (fillfactor = 70)',
  },
} as const satisfies Record<string, PartitionedTable>

/** SQL of the first key at this second. */
export function keyAt({ keyKind }: PartitionedTable, seconds: number): string {
  if (keyKind === 'HEX_ID') return `'${seconds.toString(16).padStart(8, '0')}'`
  return String(keyKind === 'SECONDS' ? seconds : Math.floor(seconds / 60))
}

/** The second of a bound as `pg_get_expr` writes it, without quotes. */
export function secondsOf({ keyKind }: PartitionedTable, bound: string): number {
  if (keyKind === 'HEX_ID') return Number.parseInt(bound, 16)
  return Number(bound) * (keyKind === 'SECONDS' ? 1 : 60)
}
