import { operator } from '../operator.ts'
import { lowered } from '../values.ts'

export default operator({
  name: 'belongs_to_collections',
  summary: 'The URL is in a collection with one of these names or hosts.',
  operands: 'scalars',
  evaluate: (datum, operands, place) => {
    if (typeof datum !== 'string') return false
    const owners = place.lookups.collectionsOf(datum).map((name) => name.toLowerCase())
    return operands.some((operand) => owners.includes(lowered(String(operand))))
  },
  cases: [
    { datum: 'https://a.example/x', operands: ['shop'], expect: true, collections: ['Shop'] },
    { datum: 'https://a.example/x', operands: ['shop'], expect: false },
  ],
})
