import { judged, term } from '../term.ts'

export default term({
  name: 'destination_ip',
  summary: 'Address of the server, as recorded.',
  called: 'server address',
  takes: 'ranges',
  whole: (scene) => judged(scene).exchange.serverIp,
})
