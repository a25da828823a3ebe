import { operator } from '../operator.ts'
import { holdsWord, lowered } from '../values.ts'

export default operator({
  name: 'not_contains_either',
  summary: 'A text that lacks at least one of the operands.',
  operands: 'scalars',
  phrases: { holds: 'lacks one of', fails: 'contains all of' },
  test: (operands) => {
    const words = operands.map((operand) => lowered(String(operand)))
    return (datum) => {
      if (typeof datum !== 'string') return false
      const text = lowered(datum)
      return words.some((word) => !holdsWord(text, word))
    }
  },
  cases: [
    { datum: 'a', operands: ['a', 'b'], expect: true },
    { datum: 'ab', operands: ['a', 'b'], expect: false },
  ],
})
