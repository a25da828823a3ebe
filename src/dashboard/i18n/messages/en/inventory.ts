/** Texts of endpoints. */
export const inventory = {
  'latency.title': 'Latency',
  'latency.p50': 'Latency p50',
  'latency.p95': 'Latency p95',
  'latency.both': '{p50} median (p50), {p95} at p95',
  'latency.unknown': 'not known',
  'latency.summary': 'About {p50} at the median (p50), about {p95} at p95.',
  'latency.note': 'Each bar: {length}.',
  'latency.seriesP50': 'ms p50',
  'latency.seriesP95': 'ms p95',
  'latency.overTime': 'Latency over time',
  'latency.from': 'From',
  'latency.none':
    'No durations are kept for this time. HAR files, OpenTelemetry traces, the proxy, the middleware and most access logs name them.',
  'latency.hours': { one: '{count} hour', other: '{count} hours' },
  'latency.days': { one: '{count} day', other: '{count} days' },
} as const
