import { useCallback, useState } from 'react'
import type { ImportSummary } from '../../../contract/browser.ts'
import { client } from '../../data/client.ts'
import { useWrite } from '../../data/use-operation.ts'
import { usualCollection } from './collection-name.ts'
import { fileContent, mostBytes } from './file-content.ts'

/** Where imported files go. */
export interface ImportTarget {
  /** Empty: a collection named after each file. */
  readonly collectionName: string
  /** Where the API is that a file describes; empty: as the file says. */
  readonly baseUrl: string
  /** Of access logs: `method=verb,url=path`; empty: the usual names. */
  readonly fields: string
}

/** One file on its way. */
export interface ImportJob {
  readonly id: number
  readonly fileName: string
  readonly bytes: number
  /** Milliseconds since 1970 when it was started. */
  readonly startedAt: number
  readonly phase: 'waiting' | 'reading' | 'analysing' | 'done' | 'failed'
  readonly report: ImportSummary | null
  readonly failure: unknown
}

let lastId = 0

const LOOK_EVERY_MS = 500

/** Pairs as an object; what is wrong with a name is for the server to say. */
function fieldsOf(text: string): Record<string, string> | null {
  if (text === '') return null
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [field = '', ...name] = pair.split('=')
      return [field.trim(), name.join('=').trim()]
    }),
  )
}

/** The report once a large file was read to its end: its import answers before. */
async function ended(first: ImportSummary): Promise<ImportSummary> {
  let report = first
  while (report.status === 'IN_PROGRESS') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    report = (await client.call('fetchImportReport', { uploadId: report.uploadId, limit: 1 })).report
  }
  return report
}

/** Sends files one after the other; the list of jobs shows how far each is. */
export function useImports() {
  const [jobs, setJobs] = useState<readonly ImportJob[]>([])
  const { mutateAsync } = useWrite('importTraffic')
  const update = useCallback(
    (id: number, change: Partial<ImportJob>) =>
      setJobs((now) => now.map((job) => (job.id === id ? { ...job, ...change } : job))),
    [],
  )

  const send = useCallback(
    async (id: number, file: File, target: ImportTarget): Promise<ImportSummary | null> => {
      update(id, { phase: 'reading', startedAt: Date.now() })
      try {
        if (file.size > mostBytes)
          throw new Error('Files may have up to 100 MB. Split the file and import the parts.')
        const content = await fileContent(file)
        update(id, { phase: 'analysing' })
        const imported = await mutateAsync({
          ...content,
          fileName: file.name,
          apiCollectionName: target.collectionName || usualCollection(file.name, content.content),
          baseUrl: target.baseUrl || null,
          fields: fieldsOf(target.fields),
        })
        const report = await ended(imported.report)
        update(id, { phase: 'done', report })
        return report
      } catch (failure) {
        update(id, { phase: 'failed', failure })
        return null
      }
    },
    [mutateAsync, update],
  )

  /** Imports files; resolves to the reports. */
  const start = useCallback(
    async (files: readonly File[], target: ImportTarget): Promise<ImportSummary[]> => {
      const queued = files.map((file) => ({ file, id: ++lastId }))
      const fresh = queued.map(({ file, id }) => ({
        id,
        fileName: file.name,
        bytes: file.size,
        startedAt: Date.now(),
        phase: 'waiting' as const,
        report: null,
        failure: null,
      }))
      setJobs((now) => [...fresh, ...now])
      const reports: ImportSummary[] = []
      for (const { file, id } of queued) {
        const report = await send(id, file, target)
        if (report !== null) reports.push(report)
      }
      return reports
    },
    [send],
  )
  return { jobs, start, busy: jobs.some((job) => job.phase !== 'done' && job.phase !== 'failed') }
}
