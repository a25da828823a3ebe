import { writePostman } from '../../app/index.ts'
import type { Exporter } from './exporter.ts'
import { recordedEndpoints } from './recorded-endpoints.ts'

/** A Postman collection 2.1 with a request for each endpoint, from its newest message where it has one. */
export const postmanExporter: Exporter = async (request) => {
  const endpoints = await recordedEndpoints(request)
  const items = endpoints.map(({ method, url, exchanges }) => ({
    ...{ method, url, exchange: exchanges.at(-1) ?? null },
  }))
  return `${JSON.stringify(writePostman(request.name, items), null, 2)}\n`
}
