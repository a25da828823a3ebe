import { isDate } from '../calendar.ts'
import { isIso7064Mod11Two } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT, LOWER, UPPER } from '../value-signature.ts'

const SHAPE =
  /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)\d{4}((?:18|19|20)\d{2})(\d{2})(\d{2})\d{3}[\dXx]$/

export default dataType({
  name: 'CN_RESIDENT_ID',
  summary: 'A resident identity number of China: region, birth date and an ISO 7064 check character.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [18, 18], chars: DIGIT | UPPER | LOWER, requires: DIGIT },
  keys: ['id card', 'idcard', 'identity card', 'resident id', 'sfz', 'shenfenzheng', '身份证', '身份证号'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null || !isDate(Number(parts[1]), Number(parts[2]), Number(parts[3]))) return 0
    return isIso7064Mod11Two(value) ? (context.named ? 99 : context.misleading ? 45 : 90) : 0
  },
  cases: [
    { value: '11010519491231002X', key: 'v', expect: true, because: 'region, date and check character' },
    { value: '110105194912310021', key: 'idCard', expect: false, because: 'wrong check character' },
    { value: '990105194912310029', key: 'idCard', expect: false, because: 'no such region' },
    {
      value: '11010519491231002X',
      key: 'orderNo',
      expect: false,
      because: 'an order number with a date in it',
    },
  ],
})
