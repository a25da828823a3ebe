import { dataType, RESPONSE_ONLY } from '../data-type.ts'
import { hostOf } from '../secret-shape.ts'
import { ALPHANUMERIC, COLON, DASH, DOT, LOWER, SLASH } from '../value-signature.ts'

const SHAPE = /^[a-z0-9](?:[a-z0-9-]{0,62}\.){1,8}(?:internal|local|corp|intranet|lan|intra|localdomain)$/

export default dataType({
  name: 'INTERNAL_HOST_NAME',
  summary: 'The name of a machine in an inner network, in what the server sends.',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: RESPONSE_ONLY,
  evidence: 'PROOF',
  mayMatch: { length: [6, 255], chars: ALPHANUMERIC | DASH | DOT | COLON | SLASH, requires: DOT | LOWER },
  keys: ['host', 'hostname', 'server', 'node', 'upstream', 'backend'],
  inText: true,
  verify: (value) =>
    /(?:int|local|corp|lan|intra|domain)/i.test(value) && SHAPE.test(hostOf(value)) ? 90 : 0,
  cases: [
    {
      value: 'ip-10-0-3-17.eu-west-1.compute.internal',
      key: 'server',
      expect: true,
      because: 'a name of a cloud',
    },
    {
      value: 'http://cart.shop.svc.cluster.local:8080/health',
      key: 'v',
      expect: true,
      because: 'a service of a cluster',
    },
    { value: 'www.internal-affairs.com', key: 'v', expect: false, because: 'a public name' },
    { value: 'app.local.js', key: 'file', expect: false, because: 'a file' },
  ],
})
