import { authKind } from '../auth-kind.ts'

const NAMES =
  /^(?:x-(?:[a-z0-9]+-){0,3}(?:signature|hmac)(?:-?(?:sha)?\d{1,3}|-ed25519|-timestamp)?|x-shopify-hmac-sha256|stripe-signature|signature|paypal-transmission-sig)$/

export default authKind({
  id: 'HMAC_SIGNATURE',
  wireName: 'CUSTOM',
  summary: 'A signature over the request in a separate header (RFC 9421, webhooks).',
  header: (name) => NAMES.test(name) && !name.endsWith('-timestamp'),
  headerDetail: (value) => (value.length >= 16 ? 'signature' : undefined),
  cases: [
    {
      headers: { 'x-hub-signature-256': 'sha256=9f86d081884c7d659a2feaa0c55ad015' },
      expect: true,
      because: 'a web hook',
    },
    {
      headers: { signature: 'sig1=:dGhlIHNpZ25hdHVyZSBieXRlcw==:' },
      expect: true,
      because: 'HTTP message signature',
    },
    {
      headers: { 'x-signature-timestamp': '1678373430123456789' },
      expect: false,
      because: 'the time beside it',
    },
    { headers: { 'x-signature': 'none' }, expect: false, because: 'too short for one' },
  ],
})
