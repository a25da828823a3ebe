import { judged, term } from '../term.ts'

export default term({
  name: 'source_ip',
  summary: 'Address of the caller, as recorded.',
  called: 'client address',
  takes: 'ranges',
  whole: (scene) => judged(scene).exchange.clientIp,
})
