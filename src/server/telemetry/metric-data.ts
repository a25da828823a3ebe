import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { Reading } from '../metrics.ts'

interface Period {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** The figures of GET /metrics as OpenTelemetry has them, under the same names. Values that are not numbers are left out. */
export function metricData(readings: readonly Reading[], period: Period): MetricData[] {
  return readings
    .map((reading) => oneMetric(reading, period))
    .filter(({ dataPoints }) => dataPoints.length > 0)
}

function oneMetric(reading: Reading, period: Period): MetricData {
  const base = {
    descriptor: {
      name: reading.name,
      description: reading.help,
      unit: unitOf(reading.name),
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (reading.type === 'histogram')
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(reading, period) }
  const dataPoints = reading.values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ ...period, attributes: { ...labels }, value }))
  if (reading.type === 'counter')
    return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  return { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Names of Prometheus end with their unit. */
function unitOf(name: string): string {
  const base = name.replace(/_total$/, '')
  if (base.endsWith('_seconds')) return 's'
  return base.endsWith('_bytes') ? 'By' : ''
}

/** Buckets of Prometheus hold all values up to their limit; those of OpenTelemetry what is between two limits. */
function histograms({ name, values }: Reading, period: Period): DataPoint<Histogram>[] {
  const byLabels = new Map<string, { attributes: Attributes; upTo: Map<number, number>; sum: number }>()
  for (const { value, labels, metricName } of values) {
    const { le, ...attributes } = labels
    const key = JSON.stringify(attributes)
    const one = byLabels.get(key) ?? { attributes, upTo: new Map(), sum: 0 }
    byLabels.set(key, one)
    if (metricName === `${name}_sum`) one.sum = value
    if (metricName === `${name}_bucket`)
      one.upTo.set(le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value)
  }
  return [...byLabels.values()].map(({ attributes, upTo, sum }) => {
    const limits = [...upTo.keys()].sort((a, b) => a - b)
    const counts = limits.map((limit, index) => upTo.get(limit)! - (upTo.get(limits[index - 1]!) ?? 0))
    const boundaries = limits.filter(Number.isFinite)
    const count = counts.reduce((all, one) => all + one, 0)
    return { ...period, attributes, value: { buckets: { boundaries, counts }, sum, count } }
  })
}
