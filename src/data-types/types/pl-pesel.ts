import { isDate } from '../calendar.ts'
import { digitAt, weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DIGIT } from '../value-signature.ts'

const WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]
/** The century is added to the month: 80 for 1800, 0 for 1900, 20 for 2000, 40 for 2100, 60 for 2200. */
const CENTURIES = [1900, 2000, 2100, 2200, 1800]

export default dataType({
  name: 'PL_PESEL',
  summary: 'A registry number of persons in Poland: birth date and a weighted check digit.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [11, 11], chars: DIGIT },
  keys: ['pesel', 'numer pesel', 'nr pesel'],
  needsKey: true,
  verify(value) {
    const coded = Number(value.slice(2, 4))
    const year = CENTURIES[Math.floor(coded / 20)]! + Number(value.slice(0, 2))
    if (!isDate(year, coded % 20, Number(value.slice(4, 6)))) return 0
    return (10 - (weightedSum(value, WEIGHTS) % 10)) % 10 === digitAt(value, 10) ? 98 : 0
  },
  cases: [
    { value: '44051401359', key: 'pesel', expect: true, because: 'date and check digit' },
    { value: '44051401358', key: 'pesel', expect: false, because: 'wrong check digit' },
    { value: '44151401359', key: 'pesel', expect: false, because: 'month 15' },
    { value: '44051401359', key: 'phone', expect: false, because: 'nothing names it' },
  ],
})
