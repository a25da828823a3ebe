import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { isMadeOf, looksRandom } from '../secret-shape.ts'
import { URL_SAFE } from '../value-signature.ts'

/** In the middle of every key: "OpenAI" in base64. */
const MARK = 'T3BlbkFJ'

export default dataType({
  name: 'OPENAI_API_KEY',
  summary: 'A key of OpenAI: a mark in its middle proves it.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [48, 200], starts: ['sk-'] },
  keys: ['openai key', 'openai api key'],
  inText: true,
  verify: (value) =>
    value.indexOf(MARK) > 10 && isMadeOf(value, URL_SAFE) && looksRandom(value.slice(3)) ? 98 : 0,
  cases: [
    {
      value: example('sk-', 'x7K2mNq9Rt4Vx6Zb1Cd3', 'T3BlbkFJ', 'Ef5Gh8Jk0Lm2No4Pq6Rs'),
      key: 'v',
      expect: true,
      because: 'the mark',
    },
    {
      value: example('sk-', 'x7K2mNq9Rt4Vx6Zb1Cd3Ef5Gh8Jk0Lm2No4Pq6Rs8Tu0Vw2X'),
      key: 'v',
      expect: false,
      because: 'no mark',
    },
    {
      value: 'sk-learn-is-a-library-for-machines-that-learn-things',
      key: 'text',
      expect: false,
      because: 'words',
    },
  ],
})
