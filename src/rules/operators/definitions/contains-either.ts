import { operator } from '../operator.ts'
import { holdsWord, lowered } from '../values.ts'

export default operator({
  name: 'contains_either',
  summary: 'A text that holds at least one of the operands, without regard to case.',
  operands: 'scalars',
  phrases: { holds: 'contains', fails: 'does not contain' },
  test: (operands) => {
    const words = operands.map((operand) => lowered(String(operand)))
    return (datum) => {
      if (typeof datum !== 'string') return false
      const text = lowered(datum)
      return words.some((word) => holdsWord(text, word))
    }
  },
  cases: [
    { datum: 'You are ADMIN', operands: ['root', 'admin'], expect: true },
    { datum: 'user', operands: ['admin'], expect: false },
    { datum: 5, operands: ['5'], expect: false, because: 'numbers are not texts' },
    { datum: 'x', operands: [''], expect: true },
  ],
})
