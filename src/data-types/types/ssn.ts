import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

const SHAPE = /^(\d{3})([- ]?)(\d{2})\2(\d{4})$/

export default dataType({
  name: 'SSN',
  summary: 'A United States social security number: area, group and serial in their allowed ranges.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [11, 11], chars: DIGIT | DASH, requires: DIGIT | DASH },
  whenNamed: { length: [9, 11], chars: DIGIT | DASH | SPACE, requires: DIGIT },
  keys: [
    'ssn',
    'social security',
    'social security number',
    'social',
    'ss number',
    'tax payer id',
    'taxpayer id',
  ],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null) return 0
    const [, area, separator, group, serial] = parts
    if (area === '000' || area === '666' || area! >= '900' || group === '00' || serial === '0000') return 0
    if (value === '078-05-1120' || value === '123-45-6789') return context.named ? 70 : 0
    if (separator === '') return context.named ? 85 : 0
    return context.named ? 98 : context.misleading || separator === ' ' ? 40 : 80
  },
  cases: [
    { value: '536-90-4399', key: 'ssn', expect: true, because: 'the usual form' },
    { value: '536-90-4399', key: 'field7', expect: true, because: 'the dashed format is conclusive' },
    {
      value: '536904399',
      key: 'socialSecurityNumber',
      expect: true,
      because: 'without dashes the key decides',
    },
    { value: '536904399', key: 'amount', expect: false, because: 'nine digits are not enough' },
    { value: '666-90-4399', key: 'ssn', expect: false, because: 'area 666 was never issued' },
    {
      value: '912-90-4399',
      key: 'ssn',
      expect: false,
      because: 'areas from 900 are not social security numbers',
    },
    { value: '536-90-4399', key: 'orderNumber', expect: false, because: 'an order number of the same shape' },
  ],
})
