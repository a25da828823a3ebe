import { dataType, example, OUTSIDE_REQUEST_HEADERS } from '../data-type.ts'
import { prefixedToken } from '../secret-shape.ts'
import { EQUALS, PLUS, SLASH, URL_SAFE } from '../value-signature.ts'

const BODY = { chars: URL_SAFE | EQUALS | PLUS | SLASH, length: [300, 400] } as const

export default dataType({
  name: 'SHUTTERSTOCK_TOKEN',
  summary: 'An access token of Shutterstock.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: OUTSIDE_REQUEST_HEADERS,
  evidence: 'PROOF',
  mayMatch: { length: [303, 403], starts: ['v2/'] },
  inText: true,
  verify: (value) => prefixedToken(value, 'v2/', BODY),
  cases: [
    {
      value: example(
        'v2/',
        'Q29uZmlkZW50aWFsQm9keTdLMm1OcTlSdDRWeDZaYjFDZDNFZjVHaDhKazBMbTJObzRQcTZSczhUdTBWdzJYeTRaYTZCYzhEZTBGZzJIaTRKazZMbThObzBQcTJSczRUdTZWdzhYeTBaYTJCYzREZTZGZzhIaTBKazJMbTRObzZQcThSczBUdTJWdzRYeTZaYThCYzBEZTJGZzRIaTZKazhMbTBObzJQcTRSczZUdThWdzBYeTJaYTRCYzZEZThGZzBIaTJKazRMbTZObzhQcTBSczJUdTRWdzZYeThaYTBCYzJEZTRGZzZIaThK',
      ),
      key: 'v',
      expect: true,
      because: 'version and long body',
    },
    { value: example('v2/', 'users/42'), key: 'v', expect: false, because: 'a path' },
  ],
})
