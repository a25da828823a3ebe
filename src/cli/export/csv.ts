import type { ApiInfo } from '../../contract/index.ts'
import type { Exporter } from './exporter.ts'

const COLUMNS: readonly (readonly [string, (info: ApiInfo) => string])[] = [
  ['method', ({ id }) => id.method],
  ['url', ({ id }) => id.url],
  ['authentication', ({ actualAuthType }) => actualAuthType.join(' ')],
  ['access', ({ apiAccessTypes }) => apiAccessTypes.join(' ')],
  ['sensitive', ({ isSensitive }) => String(isSensitive)],
  ['risk', ({ riskScore }) => String(riskScore)],
  ['status codes', ({ responseCodes }) => responseCodes.join(' ')],
  ['discovered', ({ discoveredTimestamp }) => timeOf(discoveredTimestamp)],
  ['last seen', ({ lastSeen }) => timeOf(lastSeen)],
  ['last tested', ({ lastTested }) => timeOf(lastTested)],
]

/** A row for each endpoint. */
export const csvExporter: Exporter = async ({ client, collectionId: apiCollectionId }) => {
  const answer = await client.op.fetchApiInfosForCollection({ apiCollectionId })
  const infos = 'apiInfoList' in answer ? answer.apiInfoList : []
  const rows = [
    COLUMNS.map(([title]) => title),
    ...infos.map((info) => COLUMNS.map(([, cell]) => cell(info))),
  ]
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

/** A cell by RFC 4180; what a spreadsheet would take for a formula gets an apostrophe in front. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function timeOf(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1000).toISOString()
}
