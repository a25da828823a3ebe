import { operator } from '../operator.ts'
import { lowered } from '../values.ts'

export default operator({
  name: 'belongs_to_collections',
  summary: 'The URL is in a collection with one of these names or hosts.',
  operands: 'scalars',
  phrases: { holds: 'is in a collection named', fails: 'is in no collection named' },
  test: (operands) => {
    const wanted = operands.map((operand) => lowered(String(operand)))
    return (datum, place) =>
      typeof datum === 'string' &&
      place.lookups.collectionsOf(datum).some((name) => wanted.includes(name.toLowerCase()))
  },
  cases: [
    { datum: 'https://a.example/x', operands: ['shop'], expect: true, collections: ['Shop'] },
    { datum: 'https://a.example/x', operands: ['shop'], expect: false },
  ],
})
