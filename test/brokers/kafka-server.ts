import { type ChildProcess, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Admin, Consumer, Producer } from '@platformatic/kafka'
import { DEAD_LETTERS, REASON_HEADER } from '../../src/traffic/stream/port.ts'
import { freePort } from '../server-process.ts'
import { until } from '../until.ts'
import { BROKER_START_MS, killBroker, spawnBroker, type TestBroker } from './broker.ts'
import type { TestCertificates } from './certificates.ts'

const VERSION = '4.1.0'
/** Partitions of a topic that several processes share. */
const PARTITIONS = 4
/** Outside the folders that `npm ci` empties, so that it is fetched once. */
const CACHE = fileURLToPath(new URL(`../../.cache/kafka-${VERSION}`, import.meta.url))

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>vigil.test</groupId><artifactId>broker</artifactId><version>1</version><dependencies><dependency>
<groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version>
</dependency></dependencies></project>`

/** Well below the limits of tests: nothing else of the file's worker goes on meanwhile. */
const FETCH_MS = 90_000

/** The broker's published Java packages, fetched with Maven unless they are here; null where that cannot be. */
function javaPackages(): string | null {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const major = Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1])
  if (!(major >= 17)) return null
  if (existsSync(CACHE)) return CACHE
  const folder = mkdtempSync(join(tmpdir(), 'vigil-test-maven-'))
  try {
    writeFileSync(join(folder, 'pom.xml'), POM)
    const target = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs']
    const fetched = spawnSync('mvn', ['-q', '-B', ...target], { cwd: folder, timeout: FETCH_MS })
    if (fetched.status !== 0) return null
    mkdirSync(join(CACHE, '..'), { recursive: true })
    spawnSync('cp', ['-r', join(folder, 'libs'), `${CACHE}.${process.pid}`])
    renameSync(`${CACHE}.${process.pid}`, CACHE)
    return CACHE
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A broker with certificates that asks its clients for one, and for a user with a password. */
export interface KafkaSecurity {
  readonly certificates: TestCertificates
  readonly user: string
  readonly password: string
}

const LOGIN = 'org.apache.kafka.common.security'

function securedListener({ certificates, user, password }: KafkaSecurity): string[] {
  return [
    'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL',
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${certificates.server.both}`,
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${certificates.ca}`,
    'ssl.client.auth=required',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512',
    `listener.name.sasl_ssl.plain.sasl.jaas.config=${LOGIN}.plain.PlainLoginModule required user_${user}="${password}";`,
    `listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=${LOGIN}.scram.ScramLoginModule required;`,
  ]
}

interface KafkaPorts {
  readonly plain: number
  readonly controller: number
  readonly secured: number
}

function properties(folder: string, ports: KafkaPorts, security: KafkaSecurity | null): string {
  const listeners = [`PLAINTEXT://127.0.0.1:${ports.plain}`, `CONTROLLER://127.0.0.1:${ports.controller}`]
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${ports.controller}`,
    `listeners=${[...listeners, ...(security === null ? [] : [`SASL_SSL://127.0.0.1:${ports.secured}`])].join(',')}`,
    ...(security === null ? [] : securedListener(security)),
    'controller.listener.names=CONTROLLER',
    `log.dirs=${join(folder, 'data')}`,
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=4',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    `num.partitions=${PARTITIONS}`,
  ].join('\n')
}

/**
 * Starts Kafka in KRaft mode from its published Java packages; null where Java or Maven is missing.
 *
 * @param security the broker's URL is that of a secured port then, without a way to sign in
 */
export async function startKafkaServer(security: KafkaSecurity | null = null): Promise<TestBroker | null> {
  const packages = javaPackages()
  if (packages === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'vigil-test-kafka-'))
  const port = await freePort()
  const config = join(folder, 'server.properties')
  const ports = { plain: port, controller: await freePort(), secured: await freePort() }
  writeFileSync(config, properties(folder, ports, security))
  const java = ['-Xmx384m', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', join(packages, '*')]
  const format = ['kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', config]
  if (security !== null)
    format.push('-S', `SCRAM-SHA-512=[name=${security.user},password=${security.password}]`)
  const formatted = spawnSync('java', [...java, ...format], { encoding: 'utf8', timeout: FETCH_MS })
  if (formatted.status !== 0) throw new Error(`the broker's folder was not formatted: ${formatted.stderr}`)
  const launch = (): ChildProcess => {
    const started = spawnBroker('java', [...java, 'kafka.Kafka', config])
    started.stdout?.resume()
    started.stderr?.resume()
    return started
  }
  let child = launch()
  const options = { clientId: 'vigil-test', bootstrapBrokers: [`127.0.0.1:${port}`] }
  const admin = new Admin(options)
  await until('Kafka answers', () => admin.listTopics().catch(() => null), { ms: BROKER_START_MS })
  const producer = new Producer({ ...options, idempotent: true })
  const topics = new Set<string>()
  const prepare = async (topic: string): Promise<void> => {
    if (topics.has(topic)) return
    topics.add(topic)
    await admin.createTopics({ topics: [topic], partitions: PARTITIONS, replicas: 1 })
  }
  return {
    url: security === null ? `kafka://127.0.0.1:${port}` : `kafka+tls://127.0.0.1:${ports.secured}`,
    port,
    get pid() {
      return child.pid!
    },
    kill: () => killBroker(child),
    async revive() {
      child = launch()
      await until('Kafka answers', () => admin.listTopics().catch(() => null), { ms: BROKER_START_MS })
    },
    records: (topic) => recordsOf(options, topic),
    prepare,
    async publish(topic, values) {
      await prepare(topic)
      const messages = values.map((value) => ({ topic, value: Buffer.from(value) }))
      await producer.send({ messages, partitioner: roundRobin() })
    },
    deadLetters: (topic) => lettersOf(options, topic + DEAD_LETTERS),
    async stop() {
      await Promise.all([admin.close(), producer.close()])
      await killBroker(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function roundRobin(): () => number {
  let next = 0
  return () => next++ % PARTITIONS
}

async function endOf(consumer: Consumer, topic: string): Promise<number> {
  const latest = await consumer.listOffsets({ topics: [topic] })
  return (latest.get(topic) ?? []).reduce((sum, offset) => sum + Number(offset), 0)
}

async function recordsOf(
  options: { clientId: string; bootstrapBrokers: string[] },
  topic: string,
): Promise<number> {
  const consumer = new Consumer({ ...options, groupId: 'test-records' })
  try {
    return await endOf(consumer, topic)
  } finally {
    await consumer.close(true)
  }
}

async function lettersOf(
  options: { clientId: string; bootstrapBrokers: string[] },
  topic: string,
): Promise<{ value: string; reason: string }[]> {
  const consumer = new Consumer({ ...options, groupId: `test-${process.hrtime.bigint()}`, maxWaitTime: 200 })
  try {
    const total = await endOf(consumer, topic)
    const letters: { value: string; reason: string }[] = []
    if (total === 0) return letters
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false })
    for await (const { value, headers } of stream) {
      const reason = [...headers].find(([name]) => name.toString() === REASON_HEADER)?.[1].toString() ?? ''
      letters.push({ value: value.toString(), reason })
      if (letters.length === total) break
    }
    return letters
  } finally {
    await consumer.close(true)
  }
}
