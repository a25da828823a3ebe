import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { inSpan } from '../../kit/index.ts'
import { createLog } from '../../kit/log.ts'
import { beginTelemetry } from './telemetry.ts'

/** An address of this machine that nothing listens on. */
async function freeAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

test('a collector that is away is one line of the log, and holds up neither the work nor the end', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const url = await freeAddress()
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '500'
  try {
    const telemetry = await beginTelemetry(
      { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10', OTEL_METRIC_EXPORT_INTERVAL: '600' },
      { log, version: '0', roles: ['serve'] },
    )
    telemetry.readMetrics(async () => [])
    const startedMs = performance.now()
    for (let call = 0; call < 5000; call++) await inSpan('call', { mayBegin: true }, async () => {})
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    await telemetry.closeMetrics()
    await telemetry.close()
  } finally {
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
    delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT']
  }
  const told = lines.filter((line) => line.includes('"part.failed"'))
  expect(told).toHaveLength(1)
  expect(JSON.parse(told[0]!)).toMatchObject({ part: 'telemetry' })
})

test('metrics that cannot be read are one line of the log', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const telemetry = await beginTelemetry(
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: await freeAddress() },
    { log, version: '0', roles: ['serve'] },
  )
  telemetry.readMetrics(async () => {
    throw new Error('the registry is broken')
  })
  await telemetry.closeMetrics()
  const told = lines.filter((line) => line.includes('"part.failed"'))
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('the registry is broken')
})
