import { operator } from '../operator.ts'
import { holdsWord, lowered } from '../values.ts'

export default operator({
  name: 'not_contains',
  summary: 'Holds none of the operands; numbers and booleans hold none.',
  operands: 'scalars',
  phrases: { holds: 'contains none of', fails: 'contains one of' },
  test: (operands) => {
    const words = operands.map((operand) => lowered(String(operand)))
    return (datum) => {
      if (typeof datum !== 'string') return datum !== null
      const text = lowered(datum)
      return !words.some((word) => holdsWord(text, word))
    }
  },
  cases: [
    { datum: 'user', operands: ['admin', 'root'], expect: true },
    { datum: 'Admin', operands: ['admin'], expect: false },
    { datum: 5, operands: ['5'], expect: true },
    { datum: null, operands: ['5'], expect: false, because: 'there is nothing to look at' },
  ],
})
