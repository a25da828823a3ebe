/** Texts of endpoints in German. */
export const inventory = {
  'latency.title': 'Latenz',
  'latency.p50': 'Latenz p50',
  'latency.p95': 'Latenz p95',
  'latency.both': '{p50} Median (p50), {p95} bei p95',
  'latency.unknown': 'nicht bekannt',
  'latency.summary': 'Etwa {p50} beim Median (p50), etwa {p95} bei p95.',
  'latency.note': 'Jeder Balken: {length}.',
  'latency.seriesP50': 'ms p50',
  'latency.seriesP95': 'ms p95',
  'latency.overTime': 'Latenz im Zeitverlauf',
  'latency.from': 'Ab',
  'latency.none':
    'Für diese Zeit sind keine Dauern gespeichert. HAR-Dateien, Traces von OpenTelemetry, der Proxy, die Middleware und die meisten Zugriffsprotokolle nennen sie.',
  'latency.hours': { one: '{count} Stunde', other: '{count} Stunden' },
  'latency.days': { one: '{count} Tag', other: '{count} Tage' },
}
