import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type ConnectionOptions, connect } from '@nats-io/transport-node'
import { DEAD_LETTERS, REASON_HEADER } from '../../src/traffic/stream/port.ts'
import { freePort } from '../server-process.ts'
import { until } from '../until.ts'
import { BROKER_START_MS, killBroker, spawnBroker, type TestBroker } from './broker.ts'

/** How a server asks its clients who they are. */
export interface NatsSecurity {
  /** Lines of its configuration file. */
  readonly configuration: string
  /** How the test itself connects. */
  readonly client: Partial<ConnectionOptions>
}

/** Starts a NATS server with JetStream from the program on this machine; null when there is none. */
export async function startNatsServer(security?: NatsSecurity): Promise<TestBroker | null> {
  if (spawnSync('nats-server', ['--version']).status !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'vigil-test-nats-'))
  const port = await freePort()
  const file = join(folder, 'server.conf')
  writeFileSync(file, security?.configuration ?? '')
  const where = ['-sd', folder, '-a', '127.0.0.1', '-p', String(port)]
  const launch = (): ChildProcess => spawnBroker('nats-server', ['-js', '-c', file, ...where])
  let child = launch()
  const servers = `127.0.0.1:${port}`
  const options = { servers, maxReconnectAttempts: -1, reconnectTimeWait: 100, ...security?.client }
  const asked = 'NATS accepts connections'
  const patience = { ms: BROKER_START_MS }
  const connection = await until(asked, () => connect(options).catch(() => null), patience)
  const manager = await jetstreamManager(connection!)
  const client = jetstream(connection!)
  const streams = new Set<string>()
  const prepare = async (topic: string): Promise<void> => {
    if (streams.has(topic)) return
    streams.add(topic)
    await manager.streams.add({ name: topic.replaceAll('.', '_'), subjects: [topic] })
  }
  return {
    url: `nats://${servers}`,
    port,
    get pid() {
      return child.pid!
    },
    prepare,
    async publish(topic, values, ids) {
      await prepare(topic)
      const options = (at: number) => (ids === undefined ? {} : { msgID: ids[at]! })
      await Promise.all(values.map((value, at) => client.publish(topic, value, options(at))))
    },
    async records(topic) {
      return (await manager.streams.info(topic.replaceAll('.', '_'))).state.messages
    },
    kill: () => killBroker(child),
    async revive() {
      child = launch()
      await until(asked, () => connection!.rtt().catch(() => null), patience)
    },
    async deadLetters(topic) {
      const name = `${topic}${DEAD_LETTERS}`.replaceAll('.', '_')
      const info = await manager.streams.info(name).catch(() => null)
      const letters = []
      for (let seq = 1; seq <= (info?.state.messages ?? 0); seq++) {
        const message = await manager.streams.getMessage(name, { seq })
        letters.push({ value: message!.string(), reason: message!.header.get(REASON_HEADER) })
      }
      return letters
    },
    async stop() {
      await connection!.close()
      await killBroker(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
