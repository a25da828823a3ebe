import { dataType } from '../data-type.ts'
import { COLON, DASH, DIGIT, DOT, HEX_LOWER, HEX_UPPER } from '../value-signature.ts'

const SHAPE = /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i

export default dataType({
  name: 'MAC_ADDRESS',
  summary: 'A hardware address (IEEE 802): six pairs or three groups.',
  category: 'DEVICE',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [14, 17], chars: DIGIT | HEX_LOWER | HEX_UPPER | COLON | DASH | DOT },
  keys: ['mac', 'mac address', 'hardware address', 'bssid', 'wifi mac', 'bluetooth address'],
  verify(value) {
    if (!SHAPE.test(value) || /^(?:00[:-]){5}00$|^(?:ff[:-]){5}ff$/i.test(value)) return 0
    return 94
  },
  cases: [
    { value: '3c:22:fb:4a:91:0e', key: 'v', expect: true, because: 'pairs with colons' },
    { value: '3C-22-FB-4A-91-0E', key: 'mac', expect: true, because: 'pairs with dashes' },
    { value: '3c22.fb4a.910e', key: 'mac', expect: true, because: 'groups of four' },
    { value: 'ff:ff:ff:ff:ff:ff', key: 'mac', expect: false, because: 'everybody' },
    { value: '3c:22:fb:4a:91', key: 'mac', expect: false, because: 'five pairs' },
    { value: '12-30-45-11-22', key: 'time', expect: false, because: 'five pairs of digits' },
  ],
})
