import { Failure } from '../../kit/index.ts'
import {
  type PartitionedTable,
  partitionedTables,
  type StoreClient,
  withoutLimit,
} from '../../store/index.ts'
import { type ArchiveRecord, AUDIT_TABLE } from './archive-records.ts'

/** How the rows of an archived table are read, and what becomes of them when its files hold them. */
interface ArchiveSource {
  /** Column of `x` that is unique within a partition, and that rows are read in the order of. */
  readonly id: string
  /** SQL of a row as JSON text, given the row `x` and what `from` joins to it. */
  readonly line: string
  /** SQL of the tables, with the rows as `x`. */
  from(record: ArchiveRecord): string
  /** SQL that belongs to them; '' for all rows. */
  where(record: ArchiveRecord): string
  /** Rows of one statement: few where a row can be large. */
  readonly rowsPerStatement: number
  /** In the transaction that notes the partition as archived, with all its files. */
  finish(client: StoreClient, record: ArchiveRecord): Promise<void>
  /** The table that it can be brought back to; null: it can only be read. */
  readonly parent: (PartitionedTable & { readonly id: string }) | null
}

function ofPartitions(parent: PartitionedTable & { readonly id: string }): ArchiveSource {
  return {
    id: parent.id,
    line: 'to_jsonb(x)::text',
    from: ({ partition }) => `${partition} x`,
    where: () => '',
    rowsPerStatement: 200,
    finish: async (client, { partition }) => {
      await client.query(withoutLimit(`DROP TABLE IF EXISTS ${partition}`))
    },
    parent,
  }
}

/** Events with what they refer to and with their messages, since nothing of that is kept when they are gone. */
const events: ArchiveSource = {
  id: 'id',
  line: `(to_jsonb(x) - '{facet_id,actor_id,api_id}'::text[] || jsonb_build_object('actor', a.actor, 'method', f.method,
    'path', p.path, 'host', f.host, 'collection_id', f.collection_id, 'filter_id', k.filter_id, 'category', k.category,
    'sub_category', k.sub_category, 'severity', k.severity, 'type', k.type, 'event_type', k.event_type, 'label', k.label,
    'status', k.status, 'is_exploit', k.is_exploit, 'messages', (
      SELECT coalesce(jsonb_agg(to_jsonb(m) - '{id,ref_id}'::text[] ORDER BY m.at, m.id), '[]')
      FROM threat_messages m WHERE m.ref_id = x.ref_id)))::text`,
  from: ({ partition }) => `${partition} x JOIN threat_facets f ON f.id = x.facet_id
    JOIN threat_kinds k ON k.id = f.kind_id JOIN threat_actors a ON a.id = x.actor_id
    JOIN threat_apis p ON p.id = x.api_id`,
  where: () => '',
  rowsPerStatement: 20,
  // The purge of events takes back what they count, and drops it then.
  finish: async () => {},
  parent: null,
}

const auditLog: ArchiveSource = {
  id: 'id',
  line: 'to_jsonb(x)::text',
  from: () => `${AUDIT_TABLE} x`,
  where: ({ from, to }) => `x.at >= ${from} AND x.at < ${to}`,
  rowsPerStatement: 200,
  // Not what came after the last file was read: that gets files beside these.
  finish: async (client, { from, to, parts }) => {
    const last = parts.at(-1)
    if (last === undefined) return
    const span = `at >= ${from} AND at < ${to}`
    await client.query(withoutLimit(`DELETE FROM ${AUDIT_TABLE} WHERE ${span} AND id <= $1`), [last.lastId])
  },
  parent: null,
}

const sources: ReadonlyMap<string, ArchiveSource> = new Map([
  ...Object.values(partitionedTables).flatMap((parent: PartitionedTable): [string, ArchiveSource][] => {
    const { id } = parent
    return id === null ? [] : [[parent.table, ofPartitions({ ...parent, id })]]
  }),
  [partitionedTables.events.table, events],
  [AUDIT_TABLE, auditLog],
])

/** @throws Failure ARCHIVE_FAILED when this version has no such table */
export function sourceOf({ table }: ArchiveRecord): ArchiveSource {
  const found = sources.get(table)
  if (found === undefined)
    throw new Failure('ARCHIVE_FAILED', { reason: `${table} is not a table of this version` })
  return found
}
