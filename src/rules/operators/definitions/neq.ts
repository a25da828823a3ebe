import { operator } from '../operator.ts'
import { asInteger } from '../values.ts'

export default operator({
  name: 'neq',
  summary: 'Not equal to the first operand; texts and integers only.',
  operands: 'scalars',
  phrases: { holds: 'is not', fails: 'is' },
  test: (operands) => {
    const text = String(operands[0]).toLowerCase()
    const integer = asInteger(operands[0])
    return (datum) => {
      if (typeof datum === 'string') return datum.toLowerCase() !== text
      return asInteger(datum) !== null && asInteger(datum) !== integer
    }
  },
  cases: [
    { datum: 'GET', operands: ['post'], expect: true },
    { datum: 'GET', operands: ['get'], expect: false },
    { datum: 404, operands: [200], expect: true },
    { datum: null, operands: [1], expect: false },
  ],
})
