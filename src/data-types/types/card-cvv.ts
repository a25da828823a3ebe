import { dataType } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

export default dataType({
  name: 'CARD_CVV',
  summary:
    'The verification code of a payment card, under a telling key. It may never be stored (PCI DSS 3.3.1).',
  category: 'FINANCE',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [3, 4], chars: DIGIT },
  keys: [
    'cvv',
    'cvv2',
    'cvc',
    'cvc2',
    'csc',
    'security code',
    'card security code',
    'card verification',
    'kartenprufnummer',
    'cryptogramme',
  ],
  needsKey: true,
  verify: () => 90,
  cases: [
    { value: '123', key: 'cvv', expect: true, because: 'three digits under a telling key' },
    { value: '1234', key: 'securityCode', expect: true, because: 'four digits (American Express)' },
    { value: '123', key: 'count', expect: false, because: 'some number' },
    { value: '12345', key: 'cvv', expect: false, because: 'too long' },
  ],
})
