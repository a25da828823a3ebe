import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { looksRandom } from '../secret-shape.ts'
import { COLON, DIGIT, URL_SAFE } from '../value-signature.ts'

export default dataType({
  name: 'TELEGRAM_BOT_TOKEN',
  summary: 'A bot token of Telegram: number of the bot and 35 characters.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [44, 46], chars: URL_SAFE | COLON, requires: COLON | DIGIT },
  keys: ['telegram token', 'bot token'],
  inText: true,
  verify: (value) => (/^\d{8,10}:AA[\w-]{33}$/.test(value) && looksRandom(value.slice(11)) ? 97 : 0),
  cases: [
    {
      value: example('123456789:', 'AAx7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2N'),
      key: 'v',
      expect: true,
      because: 'number and secret',
    },
    {
      value: example('123456789:', 'BBx7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2N'),
      key: 'v',
      expect: false,
      because: 'secrets begin with AA',
    },
  ],
})
