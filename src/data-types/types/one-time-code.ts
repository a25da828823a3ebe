import { dataType, RESPONSE_OR_URL } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'ONE_TIME_CODE',
  summary:
    'A one-time code or PIN, under a telling key. Sent by the client; an answer that holds it defeats it.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: RESPONSE_OR_URL,
  evidence: 'NAME',
  mayMatch: { length: [4, 8], chars: DIGIT },
  keys: [
    'otp',
    'one time password',
    'one time code',
    'otp code',
    'totp',
    'mfa code',
    'sms code',
    'verification code',
    'auth code',
    'pin',
    'tan',
    '2fa code',
  ],
  needsKey: true,
  verify: () => 80,
  cases: [
    { value: '493021', key: 'otp', expect: true, because: 'six digits under a telling key' },
    { value: '0911', key: 'pin', expect: true, because: 'four digits' },
    { value: '493021', key: 'zip', expect: false, because: 'nothing names it' },
    { value: '493', key: 'otp', expect: false, because: 'too short' },
  ],
})
