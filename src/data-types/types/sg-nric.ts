import { weightedSum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT } from '../value-signature.ts'

const SHAPE = /^[STFGM]\d{7}[A-Z]$/
const WEIGHTS = [2, 7, 6, 5, 4, 3, 2]
const CITIZEN = 'JZIHGFEDCBA'
const FOREIGN = 'XWUTRQPNMLK'
const FOREIGN_2022 = 'KLJNPQRTUWX'

function checkLetter(value: string): string {
  const kind = value[0]!
  const offset = kind === 'T' || kind === 'G' ? 4 : kind === 'M' ? 3 : 0
  const rest = (weightedSum(value.slice(1, 8), WEIGHTS) + offset) % 11
  if (kind === 'M') return FOREIGN_2022[10 - rest]!
  return (kind === 'S' || kind === 'T' ? CITIZEN : FOREIGN)[rest]!
}

export default dataType({
  name: 'SG_NRIC',
  summary: 'An identity number of Singapore (NRIC, FIN): weighted check letter.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [9, 9], chars: ANY_UPPER | DIGIT, requires: DIGIT },
  keys: ['nric', 'fin', 'nric number', 'identity number'],
  verify: (value, context) =>
    SHAPE.test(value) && checkLetter(value) === value[8]
      ? context.named
        ? 98
        : context.misleading
          ? 40
          : 80
      : 0,
  cases: [
    { value: 'S1234567D', key: 'nric', expect: true, because: 'check letter holds' },
    { value: 'F1234567N', key: 'v', expect: true, because: 'a foreigner' },
    { value: 'S1234567A', key: 'nric', expect: false, because: 'wrong check letter' },
    { value: 'A1234567D', key: 'nric', expect: false, because: 'no such kind' },
  ],
})
