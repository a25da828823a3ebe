import { crc32 } from 'node:zlib'
import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'

/** Service account tokens end in the CRC-32 of what stands before it, in hex. */
function hasHexCrc(token: string): boolean {
  const border = token.lastIndexOf('_')
  return Number.parseInt(token.slice(border + 1), 16) === crc32(token.slice(0, border))
}

function cloudTokenSpeaksJson(token: string): boolean {
  return /^\{"\w/.test(Buffer.from(token.slice(4, 44), 'base64').toString('latin1'))
}

export default dataType({
  name: 'GRAFANA_TOKEN',
  summary: 'A service account token or cloud token of Grafana.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [40, 500], starts: ['glsa_', 'glc_'] },
  inText: true,
  verify(value) {
    if (value.startsWith('glc_'))
      return /^glc_[A-Za-z0-9+/=]{32,}$/.test(value) && cloudTokenSpeaksJson(value) ? 97 : 0
    if (!/^glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}$/.test(value) || !looksRandom(value.slice(5))) return 0
    return hasHexCrc(value) ? 100 : 72
  },
  cases: [
    {
      value: example('glsa_', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2', '_a1b2c3d4'),
      key: 'v',
      expect: true,
      because: 'a service account',
    },
    {
      value: example('glc_', 'eyJvIjoiMTIzNDU2IiwibiI6InNob3AiLCJrIjoieDdLMm1OcTkifQ=='),
      key: 'v',
      expect: true,
      because: 'JSON inside',
    },
    {
      value: example('glsa_', 'x'.repeat(32), '_00000000'),
      key: 'v',
      expect: false,
      because: 'a placeholder',
    },
  ],
})
