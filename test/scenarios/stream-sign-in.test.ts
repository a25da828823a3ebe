import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { credsAuthenticator } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { MARATHON, RARE_PROGRAM } from '../../scripts/test-files.ts'
import type { TestBroker } from '../brokers/broker.ts'
import { makeCertificates } from '../brokers/certificates.ts'
import { startKafkaServer } from '../brokers/kafka-server.ts'
import { makeNatsAccounts } from '../brokers/nats-accounts.ts'
import { startNatsServer } from '../brokers/nats-server.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { until } from '../until.ts'
import { message } from './ask.ts'

/** How Vigil signs in to the servers of a stream, each with a real one. */

let folder: string
let broker: TestBroker | null = null
let server: TestServer | null = null

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-test-stream-'))
})
afterEach(async () => {
  await server?.close()
  await broker?.stop()
  server = null
  broker = null
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TOPIC = 'secured'

/** The first of the programs that this machine lacks, said aloud; null when it has all. */
function lackingProgram(test: string, programs: readonly string[]): string | null {
  const lacking = programs.find(
    (name) => spawnSync(name, [name === 'openssl' ? 'version' : '--version']).status !== 0,
  )
  if (lacking === undefined) return null
  console.warn(`\nSKIPPED: ${test}, because this machine does not have ${lacking}.\n`)
  return lacking
}

/** Calls that a server with these settings counts of the topic. */
async function countedWith(
  settings: Record<string, string>,
  environment: Record<string, string> = {},
): Promise<void> {
  server = await startTestServer({ 'stream-topic': TOPIC, ...settings }, undefined, environment)
  await until('the messages are counted', () => server!.running.app.stream!.figures().accepted, {
    isRight: (count) => count === 2,
    ms: 120_000,
  })
}

const messages = ['/a', '/b'].map((path) => JSON.stringify({ ...message({ path }), type: 'HTTP/1.1' }))

test('servers with certificates of a private authority that ask for a client certificate and a password', {
  tags: [RARE_PROGRAM],
  timeout: 240_000,
}, async ({ skip }) => {
  if (lackingProgram('stream servers with certificates', ['openssl', 'nats-server'])) skip()
  const files = makeCertificates(folder)
  const client = readFileSync(files.client, 'utf8')
  broker = await startNatsServer({
    configuration: `tls { cert_file: "${files.server.certificate}", key_file: "${files.server.key}", ca_file: "${files.ca}", verify: true }
authorization { user: vigil, password: "p@ss" }\n`,
    client: { user: 'vigil', pass: 'p@ss', tls: { caFile: files.ca, cert: client, key: client } },
  })
  await broker!.publish(TOPIC, messages)
  const url = broker!.url.replace('nats://', 'nats+tls://vigil:p%40ss@')
  server = await startTestServer({ 'stream-topic': TOPIC, 'stream-url': url })
  await until('the certificate is refused', () => server!.logText().includes('"part":"stream"'))
  expect(server.logText()).toMatch(/certificate/i)
  expect(server.running.app.stream!.figures()).toMatchObject({ isConnected: false, accepted: 0 })
  await server.close()
  const signIn = { 'stream-ca': readFileSync(files.ca, 'utf8'), 'stream-client-certificate': client }
  await countedWith({ 'stream-url': url, ...signIn })
  expect(server.logText()).not.toContain('PRIVATE KEY')
})

test('servers with accounts, by a credentials file', { tags: [RARE_PROGRAM], timeout: 240_000 }, async ({
  skip,
}) => {
  if (lackingProgram('stream servers with accounts', ['nats-server'])) skip()
  const { configuration, credentials } = makeNatsAccounts()
  const client = { authenticator: credsAuthenticator(Buffer.from(credentials)) }
  broker = await startNatsServer({ configuration, client })
  await broker!.publish(TOPIC, messages)
  const file = join(folder, 'vigil.creds')
  writeFileSync(file, credentials)
  await countedWith({ 'stream-url': broker!.url }, { VIGIL_STREAM_CREDENTIALS_FILE: file })
})

test('Kafka with certificates of a private authority, a client certificate, and users by PLAIN and SCRAM', {
  tags: [RARE_PROGRAM, MARATHON],
  timeout: 300_000,
}, async ({ skip }) => {
  if (lackingProgram('Kafka with certificates', ['openssl'])) skip()
  const files = makeCertificates(folder)
  const client = readFileSync(files.client, 'utf8')
  broker = await startKafkaServer({ certificates: files, user: 'vigil', password: 'p@ss' })
  if (broker === null) {
    console.warn('\nSKIPPED: Kafka with certificates, because Java or Maven is missing.\n')
    skip()
  }
  await broker!.publish(TOPIC, messages)
  const certificates = { 'stream-ca': readFileSync(files.ca, 'utf8'), 'stream-client-certificate': client }
  const urlOf = (password: string, sasl: string): string =>
    broker!.url.replace('kafka+tls://', `kafka+tls://vigil:${password}@`) + sasl
  server = await startTestServer({
    ...{ 'stream-topic': TOPIC, 'stream-url': urlOf('wrong', '?sasl=SCRAM-SHA-512') },
    ...certificates,
  })
  await until('the password is refused', () => server!.logText().includes('"part":"stream"'), { ms: 60_000 })
  expect(server.running.app.stream!.figures()).toMatchObject({ isConnected: false, accepted: 0 })
  await server.close()
  await countedWith({ 'stream-url': urlOf('p%40ss', '?sasl=SCRAM-SHA-512'), ...certificates })
  await server!.close()
  // The server is a new one, with a store and a group of its own.
  await countedWith({ 'stream-url': urlOf('p%40ss', ''), 'stream-group': 'plain', ...certificates })
  expect(server!.logText()).not.toContain('PRIVATE KEY')
})
