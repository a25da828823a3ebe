import { writeHar } from '../../app/index.ts'
import { programVersion } from '../program-version.ts'
import type { Exporter } from './exporter.ts'
import { recordedEndpoints } from './recorded-endpoints.ts'

/** A HAR 1.2 document of the kept messages of every endpoint. */
export const harExporter: Exporter = async (request) => {
  const endpoints = await recordedEndpoints(request)
  const exchanges = endpoints.flatMap((endpoint) => endpoint.exchanges)
  return `${JSON.stringify(writeHar(exchanges, { name: 'Vigil', version: programVersion() }), null, 2)}\n`
}
