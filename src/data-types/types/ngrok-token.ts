import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'
import { ALPHANUMERIC, UNDERSCORE } from '../value-signature.ts'

export default dataType({
  name: 'NGROK_TOKEN',
  summary: 'An auth token of ngrok, under a telling key.',
  category: 'SECRET',
  severity: 'MEDIUM',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'NAME',
  mayMatch: { length: [43, 52], chars: ALPHANUMERIC | UNDERSCORE, requires: UNDERSCORE },
  keys: ['ngrok', 'ngrok token', 'ngrok authtoken', 'ngrok auth token'],
  needsKey: true,
  verify: (value) =>
    /^[0-9][A-Za-z0-9]{23,29}_[A-Za-z0-9]{19,23}$/.test(value) && looksRandom(value) ? 95 : 0,
  cases: [
    {
      value: example('2x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8', '_', 'Jk0Lm2No4Pq6Rs8Tu0Vw2'),
      key: 'ngrokAuthtoken',
      expect: true,
      because: 'two parts',
    },
    {
      value: example('2x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8', '_', 'Jk0Lm2No4Pq6Rs8Tu0Vw2'),
      key: 'v',
      expect: false,
      because: 'nothing names it',
    },
  ],
})
