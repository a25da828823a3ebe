import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { DOT, URL_SAFE } from '../value-signature.ts'

const SHAPE = /^([\w-]{23,28})\.[\w-]{6}\.[\w-]{27,40}$/

export default dataType({
  name: 'DISCORD_TOKEN',
  summary: 'A bot token of Discord: its first part is the base64 of a numeric account id.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [58, 78], chars: URL_SAFE | DOT, requires: DOT },
  keys: ['discord token', 'bot token'],
  inText: true,
  verify(value) {
    const parts = SHAPE.exec(value)
    return parts !== null && /^\d{17,20}$/.test(Buffer.from(parts[1]!, 'base64').toString('latin1')) ? 98 : 0
  },
  cases: [
    {
      value: example('MTA4NDE4OTc2MTQ3NjAzMDUwNA', '.Gx7K2m.', 'Nq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4'),
      key: 'v',
      expect: true,
      because: 'the id decodes to digits',
    },
    {
      value: 'abcdefghijklmnopqrstuvwxyz.abcdef.abcdefghijklmnopqrstuvwxyz01',
      key: 'v',
      expect: false,
      because: 'no id',
    },
  ],
})
