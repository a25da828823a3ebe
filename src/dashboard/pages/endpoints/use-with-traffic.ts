import { useMemo } from 'react'
import type { EndpointKey, EndpointOverview } from '../../../contract/browser.ts'
import { useRead } from '../../data/use-operation.ts'
import type { EndpointRow } from './columns.tsx'

const WEEK_SECONDS = 604_800
/** The end of the week moves in steps, so that the same page asks the same for a while. */
const STEP_SECONDS = 300

const nameOf = ({ apiCollectionId, method, url }: EndpointKey) => `${apiCollectionId} ${method} ${url}`

/** Endpoints with their calls of the last week, which are asked for only when a column shows them. */
export function useWithTraffic(rows: EndpointOverview[], isAsked: boolean): EndpointRow[] {
  const end = Math.ceil(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS
  const { data } = useRead(
    'fetchEndpointTraffic',
    { apiList: rows.map(({ id }) => id), startTimestamp: end - WEEK_SECONDS, endTimestamp: end },
    { enabled: isAsked && rows.length > 0, keepLast: true },
  )
  return useMemo(() => {
    if (!isAsked || data === undefined) return rows
    const known = new Map(data.traffic.map((one) => [nameOf(one.apiInfoKey), one.buckets[0] ?? null]))
    return rows.map((row) => ({ ...row, traffic: known.get(nameOf(row.id)) }))
  }, [rows, data, isAsked])
}
