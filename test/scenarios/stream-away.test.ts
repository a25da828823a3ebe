import { expect, test } from 'vitest'
import { startTestServer, testKey } from '../harness.ts'
import { freePort } from '../server-process.ts'

test.for(['kafka', 'nats'])(
  'while a %s broker is away, its lag is unknown and the server answers',
  async (kind) => {
    const server = await startTestServer({ 'stream-url': `${kind}://127.0.0.1:${await freePort()}` })
    try {
      const answer = await fetch(`${server.baseUrl}/metrics`, { headers: { 'x-api-key': testKey } })
      const lines = (await answer.text()).split('\n')
      expect(lines).toContain('vigil_stream_lag Nan')
      expect(lines).toContain('vigil_stream_connected 0')
      const health = await fetch(`${server.baseUrl}/health`)
      expect(await health.json()).toMatchObject({ parts: { stream: 'failed' } })
    } finally {
      await server.close()
    }
  },
)
