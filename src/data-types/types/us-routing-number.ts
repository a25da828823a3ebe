import { weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

export default dataType({
  name: 'US_ROUTING_NUMBER',
  summary:
    'A bank routing number of the United States (ABA): district prefix and 3-7-1 checksum, under a telling key.',
  category: 'FINANCE',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [9, 9], chars: DIGIT },
  keys: ['routing', 'routing number', 'aba', 'aba number', 'rtn', 'transit number', 'ach routing'],
  needsKey: true,
  verify(value) {
    const district = Number(value.slice(0, 2))
    const isDistrict =
      (district >= 1 && district <= 12) ||
      (district >= 21 && district <= 32) ||
      (district >= 61 && district <= 72) ||
      district === 80
    return isDistrict && weightedSum(value, WEIGHTS) % 10 === 0 ? 96 : 0
  },
  cases: [
    { value: '021000021', key: 'routingNumber', expect: true, because: 'district 02, checksum holds' },
    { value: '021000022', key: 'routingNumber', expect: false, because: 'wrong checksum' },
    { value: '991000021', key: 'aba', expect: false, because: 'no such district' },
    { value: '021000021', key: 'orderNumber', expect: false, because: 'nothing says that it is a bank' },
  ],
})
