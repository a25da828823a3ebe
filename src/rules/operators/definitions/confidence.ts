import { operator } from '../operator.ts'
import { asNumber } from '../values.ts'

export default operator({
  name: 'confidence',
  summary: 'A share from 0 to 1 greater than the operand.',
  operands: 'scalars',
  phrases: { holds: 'has a confidence over', fails: 'has no confidence over' },
  test: (operands) => {
    const bound = asNumber(operands[0])
    return (datum) => {
      const value = asNumber(datum)
      return value !== null && bound !== null && value > bound
    }
  },
  cases: [
    { datum: 0.9, operands: [0.5], expect: true },
    { datum: 0.4, operands: [0.5], expect: false },
  ],
})
