import { operator } from '../operator.ts'
import { asNumber } from '../values.ts'

export default operator({
  name: 'lte',
  summary: 'A number at most the first operand; texts that are numbers count as such.',
  operands: 'scalars',
  phrases: { holds: 'is at most', fails: 'is greater than' },
  test: (operands) => {
    const bound = asNumber(operands[0])
    return (datum) => {
      const value = asNumber(datum)
      return value !== null && bound !== null && value <= bound
    }
  },
  cases: [
    { datum: 4, operands: [4], expect: true },
    { datum: 5, operands: [4], expect: false },
  ],
})
