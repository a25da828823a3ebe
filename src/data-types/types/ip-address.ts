import { isIP } from 'node:net'
import { dataType } from '../data-type.ts'
import { COLON, DIGIT, DOT, HEX_LOWER, HEX_UPPER } from '../value-signature.ts'

const QUAD = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

export default dataType({
  name: 'IP_ADDRESS',
  summary: 'An IPv4 or IPv6 address.',
  category: 'DEVICE',
  severity: 'HIGH',
  sensitiveIn: ['RESPONSE_HEADER', 'RESPONSE_PAYLOAD', 'SET_COOKIE', 'TRAILER'],
  evidence: 'PROOF',
  mayMatch: { length: [3, 45], chars: DIGIT | DOT | COLON | HEX_LOWER | HEX_UPPER },
  keys: [
    'ip',
    'ipv4',
    'ipv6',
    'ip address',
    'client ip',
    'remote addr',
    'remote address',
    'host address',
    'direccion ip',
  ],
  verify(value, context) {
    if (value.includes(':')) return isIP(value) === 6 ? 95 : 0
    if (!QUAD.test(value) || isIP(value) !== 4) return 0
    return context.named ? 98 : /version|release|firmware|build/i.test(context.key) ? 20 : 90
  },
  cases: [
    { value: '203.0.113.9', key: 'lastLoginIp', expect: true, because: 'dotted quad' },
    { value: '2001:db8::8a2e:370:7334', key: 'peer', expect: true, because: 'IPv6, shortened' },
    { value: '203.0.113.256', key: 'ip', expect: false, because: 'a part over 255' },
    { value: '10.2.0.1', key: 'appVersion', expect: false, because: 'a version with four parts' },
    { value: '12:30:45', key: 'time', expect: false, because: 'a time of day' },
    { value: '1.2.3', key: 'ip', expect: false, because: 'three parts' },
  ],
})
