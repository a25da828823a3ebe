import { useState } from 'react'
import { notifyFailure } from '../../../components/feedback/notify-failure.ts'
import { client } from '../../../data/client.ts'
import { saveFile } from '../../../data/save-file.ts'
import { auditAsCsv } from './audit-as-csv.ts'
import type { AuditEntry } from './audit-table.tsx'

const PAGE = 1_000
/** The interface has the rest, by time. */
const MAX_ENTRIES = 50_000

/** Saves the entries that meet a filter as a CSV file. */
export function useAuditExport(filter: { login: string | null; action: string | null }) {
  const [isExporting, setExporting] = useState(false)
  const exportCsv = async () => {
    setExporting(true)
    try {
      const entries: AuditEntry[] = []
      // Entries that arrive meanwhile push older ones on: the end is fixed, so none comes twice.
      const endTimestamp = Math.floor(Date.now() / 1000)
      for (;;) {
        const request = { ...filter, endTimestamp, skip: entries.length, limit: PAGE }
        const { auditLogs } = await client.call('fetchAuditLog', request)
        entries.push(...auditLogs)
        if (auditLogs.length < PAGE || entries.length >= MAX_ENTRIES) break
      }
      saveFile('audit-log.csv', auditAsCsv(entries), 'text/csv')
    } catch (error) {
      notifyFailure(error)
    } finally {
      setExporting(false)
    }
  }
  return { isExporting, exportCsv }
}
