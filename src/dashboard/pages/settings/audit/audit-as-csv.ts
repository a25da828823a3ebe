import { csvLines } from '../../../data/csv-lines.ts'
import type { AuditEntry } from './audit-table.tsx'

const heads = ['time', 'person', 'via', 'key', 'address', 'action', 'outcome', 'request', 'changes']

/** Entries as lines of comma-separated values (RFC 4180), times in UTC, request and changes as JSON. */
export function auditAsCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => [
    new Date(entry.timestamp * 1000).toISOString(),
    entry.login,
    entry.via,
    entry.keyId === null ? '' : String(entry.keyId),
    entry.ip,
    entry.action,
    entry.outcome ?? '',
    JSON.stringify(entry.request),
    JSON.stringify(entry.changes),
  ])
  return csvLines([heads, ...rows])
}
