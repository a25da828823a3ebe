import { dataType } from '../data-type.ts'
import { ANY_UPPER, DASH, DIGIT } from '../value-signature.ts'

const SHAPE = /^([XYZ]?)(\d{7,8})-?([A-Z])$/
const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

export default dataType({
  name: 'ES_DNI',
  summary:
    'An identity number of Spain (DNI of citizens, NIE of residents): the letter is the number modulo 23.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [9, 10], chars: DIGIT | ANY_UPPER | DASH, requires: DIGIT },
  keys: ['dni', 'nie', 'nif', 'documento nacional', 'documento', 'documento identidad', 'numero documento'],
  verify(value, context) {
    const parts = SHAPE.exec(value)
    if (parts === null) return 0
    const [, prefix, digits, letter] = parts
    if (prefix === '' ? digits!.length !== 8 : digits!.length !== 7) return 0
    const number = Number(prefix === '' ? digits : `${'XYZ'.indexOf(prefix!)}${digits}`)
    if (LETTERS[number % 23] !== letter || /^0+$/.test(digits!)) return 0
    return context.named ? 98 : context.misleading ? 30 : 75
  },
  cases: [
    { value: '12345678Z', key: 'dni', expect: true, because: 'the letter holds' },
    { value: 'X1234567L', key: 'v', expect: true, because: 'a resident' },
    { value: '12345678A', key: 'dni', expect: false, because: 'wrong letter' },
    { value: '12345678Z', key: 'sku', expect: false, because: 'an article number' },
  ],
})
