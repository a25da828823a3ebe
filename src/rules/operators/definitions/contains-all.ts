import { operator } from '../operator.ts'
import { holdsWord, lowered } from '../values.ts'

export default operator({
  name: 'contains_all',
  summary: 'A text that holds every operand, without regard to case.',
  operands: 'scalars',
  phrases: { holds: 'contains all of', fails: 'does not contain all of' },
  test: (operands) => {
    const words = operands.map((operand) => lowered(String(operand)))
    return (datum) => {
      if (typeof datum !== 'string') return false
      const text = lowered(datum)
      return words.every((word) => holdsWord(text, word))
    }
  },
  cases: [
    { datum: 'ami-id\ninstance-id', operands: ['ami-id', 'instance-id'], expect: true },
    { datum: 'ami-id', operands: ['ami-id', 'instance-id'], expect: false },
    { datum: 7, operands: ['7'], expect: false },
  ],
})
