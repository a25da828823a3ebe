import { isDayOfMonth } from '../calendar.ts'
import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT } from '../value-signature.ts'

const SHAPE =
  /^[A-Z][AEIOUX][A-Z]{2}\d{2}(\d{2})(\d{2})[HMX](?:AS|B[CS]|C[CLMSH]|D[FG]|G[TR]|HG|JC|M[CNS]|N[ETL]|OC|PL|Q[TR]|S[PLR]|T[CSL]|VZ|YN|ZS)[B-DF-HJ-NP-TV-Z]{3}[A-Z\d]\d$/
const ALPHABET = '0123456789ABCDEFGHIJKLMN*OPQRSTUVWXYZ'

function checkDigit(value: string): number {
  let sum = 0
  for (let i = 0; i < 17; i++) sum += ALPHABET.indexOf(value[i]!) * (18 - i)
  return (10 - (sum % 10)) % 10
}

export default dataType({
  name: 'MX_CURP',
  summary: 'A population registry code of Mexico: name letters, birth date, state and a check digit.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [18, 18], chars: ANY_UPPER | DIGIT, requires: DIGIT },
  keys: ['curp', 'clave unica'],
  verify(value) {
    const parts = SHAPE.exec(value)
    if (parts === null || !isDayOfMonth(Number(parts[2]), Number(parts[1]))) return 0
    return checkDigit(value) === Number(value[17]) ? 98 : 0
  },
  cases: [
    { value: 'HEGG560427MVZRRL04', key: 'v', expect: true, because: 'structure and check digit' },
    { value: 'HEGG560427MVZRRL05', key: 'curp', expect: false, because: 'wrong check digit' },
    { value: 'HEGG561327MVZRRL04', key: 'curp', expect: false, because: 'month 13' },
  ],
})
