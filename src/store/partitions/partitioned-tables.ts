/** A table that is partitioned by time. */
export interface PartitionedTable {
  readonly table: string
  /** Column that partitions are cut by. */
  readonly key: string
  /** HEX_ID: ids that begin with their creation in hexadecimal seconds. SECONDS: epoch seconds. */
  readonly keyKind: 'HEX_ID' | 'SECONDS'
  /** Column that rows are read in the order of; unique within a partition. */
  readonly id: string
  /** Storage parameters of a partition, which the table itself cannot have. */
  readonly storage: string
}

/** Seconds of one partition; they begin at multiples of it since the epoch. Migration 0014 has the same. */
export const PARTITION_SECONDS = 30 * 86_400

export const partitionedTables = {
  results: {
    table: 'run_results',
    key: 'summary_id',
    keyKind: 'HEX_ID',
    id: 'id',
    storage: 'WITH (fillfactor = 90)',
  },
  evidence: { table: 'result_evidence', key: 'result_id', keyKind: 'HEX_ID', id: 'result_id', storage: '' },
  outgoingRequests: { table: 'outgoing_requests', key: 'sent_at', keyKind: 'SECONDS', id: 'id', storage: '' },
} as const satisfies Record<string, PartitionedTable>

/** SQL of the first key at this second. */
export function keyAt({ keyKind }: PartitionedTable, seconds: number): string {
  return keyKind === 'SECONDS' ? String(seconds) : `'${seconds.toString(16).padStart(8, '0')}'`
}

/** The second of a bound as `pg_get_expr` writes it, without quotes. */
export function secondsOf({ keyKind }: PartitionedTable, bound: string): number {
  return Number.parseInt(bound, keyKind === 'SECONDS' ? 10 : 16)
}
