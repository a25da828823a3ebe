import { type Exchange, parseSampleMessage } from '../../app/index.ts'
import type { ExportRequest } from './exporter.ts'

/** Calls that wait for their answers at once. */
const AT_ONCE = 8

/** An endpoint with its kept messages, the oldest first. */
interface RecordedEndpoint {
  readonly method: string
  readonly url: string
  readonly exchanges: readonly Exchange[]
}

/** Every endpoint of a collection with its messages; notes how many have none. */
export async function recordedEndpoints(request: ExportRequest): Promise<RecordedEndpoint[]> {
  const { client, collectionId, note } = request
  const answer = await client.op.fetchApiInfosForCollection({ apiCollectionId: collectionId })
  const keys = ('apiInfoList' in answer ? answer.apiInfoList : []).map(({ id }) => id)
  const endpoints: RecordedEndpoint[] = []
  for (let at = 0; at < keys.length; at += AT_ONCE)
    endpoints.push(...(await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => recorded(request, key)))))
  const silent = endpoints.filter(({ exchanges }) => exchanges.length === 0).length
  if (silent > 0) note(`${silent} of ${endpoints.length} endpoints have no recorded message`)
  return endpoints
}

async function recorded(
  { client, collectionId, isUnmasked }: ExportRequest,
  { method, url }: { method: string; url: string },
): Promise<RecordedEndpoint> {
  const { sampleDataList } = await client.op.fetchSampleData({
    ...{ method, url, apiCollectionId: collectionId, unmasked: isUnmasked },
  })
  const messages = (sampleDataList ?? []).flatMap(({ samples }) => samples)
  return { method, url, exchanges: messages.map((message) => parseSampleMessage(message)) }
}
