import { Failure, type Sampling } from '../../kit/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** How one signal is encoded. */
type Encoding = 'http/protobuf' | 'http/json'

/** What OpenTelemetry's variables say; a signal that is not exported is null. */
export interface OtelSettings {
  readonly traces: {
    readonly encoding: Encoding
    readonly sampling: Sampling
    readonly queue: {
      readonly maxQueueSize: number
      readonly maxExportBatchSize: number
      readonly scheduledDelayMillis: number
      readonly exportTimeoutMillis: number
    }
  } | null
  readonly metrics: {
    readonly encoding: Encoding
    readonly everyMs: number
    readonly timeoutMs: number
  } | null
}

const NOTHING: OtelSettings = { traces: null, metrics: null }
const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampling>> = {
  always_on: () => ({ ratio: 1, followsParent: false }),
  always_off: () => ({ ratio: 0, followsParent: false }),
  traceidratio: (ratio) => ({ ratio, followsParent: false }),
  parentbased_always_on: () => ({ ratio: 1, followsParent: true }),
  parentbased_always_off: () => ({ ratio: 0, followsParent: true }),
  parentbased_traceidratio: (ratio) => ({ ratio, followsParent: true }),
}

/**
 * Reads the variables of OpenTelemetry's specification that say what is exported and how often. Where to, with which
 * headers and certificates, is read by the exporters of OpenTelemetry.
 *
 * @throws Failure TELEMETRY_UNUSABLE
 */
export function readOtelSettings(environment: Environment): OtelSettings {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return NOTHING
  const read = new Reader(environment)
  return {
    traces: read.isExported('TRACES')
      ? {
          encoding: read.encoding('TRACES'),
          sampling: read.sampling(),
          queue: {
            maxQueueSize: read.number('OTEL_BSP_MAX_QUEUE_SIZE', 2048),
            maxExportBatchSize: read.number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
            scheduledDelayMillis: read.number('OTEL_BSP_SCHEDULE_DELAY', 5000),
            exportTimeoutMillis: read.number('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
          },
        }
      : null,
    metrics: read.isExported('METRICS')
      ? {
          encoding: read.encoding('METRICS'),
          everyMs: read.number('OTEL_METRIC_EXPORT_INTERVAL', 60_000),
          timeoutMs: read.number('OTEL_METRIC_EXPORT_TIMEOUT', 30_000),
        }
      : null,
  }
}

class Reader {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Nothing leaves unless an endpoint is named. */
  isExported(signal: 'TRACES' | 'METRICS'): boolean {
    const exporter = this.#text(`OTEL_${signal}_EXPORTER`) ?? 'otlp'
    if (!['otlp', 'none'].includes(exporter))
      throw unusable(`OTEL_${signal}_EXPORTER is ${exporter}, but must be otlp or none`)
    const [variable, endpoint] = this.#ofSignal(signal, 'ENDPOINT')
    if (exporter === 'none' || endpoint === null) return false
    const isUrl = URL.canParse(endpoint) && ['http:', 'https:'].includes(new URL(endpoint).protocol)
    if (!isUrl) throw unusable(`${variable} is not a URL of http or https`)
    return true
  }

  encoding(signal: 'TRACES' | 'METRICS'): Encoding {
    const [variable, text] = this.#ofSignal(signal, 'PROTOCOL')
    if (text === null) return 'http/protobuf'
    if (text === 'http/protobuf' || text === 'http/json') return text
    throw unusable(`${variable} is ${text}, but Vigil exports by http/protobuf or http/json`)
  }

  sampling(): Sampling {
    const name = this.#text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
    const sampler = Object.hasOwn(SAMPLERS, name) ? SAMPLERS[name] : undefined
    if (sampler === undefined)
      throw unusable(`OTEL_TRACES_SAMPLER is ${name}, but must be one of ${Object.keys(SAMPLERS).join(', ')}`)
    const ratio = Number(this.#text('OTEL_TRACES_SAMPLER_ARG') ?? 1)
    if (!(ratio >= 0 && ratio <= 1)) throw unusable('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
    return sampler(ratio)
  }

  number(variable: string, fallback: number): number {
    const text = this.#text(variable)
    const value = Number(text ?? fallback)
    if (!Number.isInteger(value) || value < 1) throw unusable(`${variable} must be a whole number above 0`)
    return value
  }

  /** The variable of one signal, or else the one for all: which it was, and what it says. */
  #ofSignal(
    signal: 'TRACES' | 'METRICS',
    name: 'ENDPOINT' | 'PROTOCOL',
  ): [variable: string, text: string | null] {
    const own = `OTEL_EXPORTER_OTLP_${signal}_${name}`
    const text = this.#text(own)
    if (text !== null) return [own, text]
    const general = `OTEL_EXPORTER_OTLP_${name}`
    return [general, this.#text(general)]
  }

  /** An empty variable counts as absent, as the specification has it. */
  #text(variable: string): string | null {
    return this.#environment[variable]?.trim() || null
  }
}

function unusable(reason: string): Failure {
  return new Failure('TELEMETRY_UNUSABLE', { reason })
}
