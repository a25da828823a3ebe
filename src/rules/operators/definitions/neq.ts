import { operator } from '../operator.ts'
import { asInteger } from '../values.ts'

export default operator({
  name: 'neq',
  summary: 'Not equal to the first operand; texts and integers only.',
  operands: 'scalars',
  evaluate: (datum, operands) => {
    const operand = operands[0]
    if (typeof datum === 'string') return String(operand).toLowerCase() !== datum.toLowerCase()
    return asInteger(datum) !== null && asInteger(datum) !== asInteger(operand)
  },
  cases: [
    { datum: 'GET', operands: ['post'], expect: true },
    { datum: 'GET', operands: ['get'], expect: false },
    { datum: 404, operands: [200], expect: true },
    { datum: null, operands: [1], expect: false },
  ],
})
