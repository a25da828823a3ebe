import { operator } from '../operator.ts'
import { asNumber } from '../values.ts'

export default operator({
  name: 'gt',
  summary: 'A number greater than the first operand; texts that are numbers count as such.',
  operands: 'scalars',
  phrases: { holds: 'is greater than', fails: 'is not greater than' },
  test: (operands) => {
    const bound = asNumber(operands[0])
    return (datum) => {
      const value = asNumber(datum)
      return value !== null && bound !== null && value > bound
    }
  },
  cases: [
    { datum: 5, operands: [4], expect: true },
    { datum: '5.5', operands: ['5'], expect: true },
    { datum: 4, operands: [4], expect: false },
  ],
})
