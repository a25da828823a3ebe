import { operator } from '../operator.ts'
import { asNumber } from '../values.ts'

export default operator({
  name: 'lt',
  summary: 'A number less than the first operand; texts that are numbers count as such.',
  operands: 'scalars',
  phrases: { holds: 'is less than', fails: 'is at least' },
  test: (operands) => {
    const bound = asNumber(operands[0])
    return (datum) => {
      const value = asNumber(datum)
      return value !== null && bound !== null && value < bound
    }
  },
  cases: [
    { datum: -3, operands: [0], expect: true },
    { datum: 'abc', operands: [9], expect: false },
  ],
})
