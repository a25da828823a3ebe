import { digitsOf, isOneDigitRepeated } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { DASH, DIGIT, SPACE } from '../value-signature.ts'

export default dataType({
  name: 'BANK_ACCOUNT',
  summary: 'The number of a bank account, under a telling key.',
  category: 'FINANCE',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [6, 24], chars: DIGIT | DASH | SPACE, requires: DIGIT },
  keys: [
    'bank account',
    'account number',
    'account no',
    'acct number',
    'acct no',
    'bank account number',
    'kontonummer',
    'kontonr',
    'numero de cuenta',
    'numero de compte',
    'numero cuenta',
    'numero compte',
    'conta bancaria',
    'rekeningnummer',
    'clabe',
    'nuban',
  ],
  needsKey: true,
  verify(value) {
    const digits = digitsOf(value)
    if (digits.length < 6 || isOneDigitRepeated(digits) || /^\d{4}-\d\d-\d\d$/.test(value)) return 0
    return 76
  },
  cases: [
    { value: '000123456789', key: 'accountNumber', expect: true, because: 'digits under a telling key' },
    { value: '12-3456-7890123-00', key: 'bankAccount', expect: true, because: 'grouped' },
    { value: '000000', key: 'accountNumber', expect: false, because: 'a placeholder' },
    { value: '000123456789', key: 'orderNumber', expect: false, because: 'nothing names it' },
    { value: 'savings', key: 'accountNumber', expect: false, because: 'a word' },
  ],
})
