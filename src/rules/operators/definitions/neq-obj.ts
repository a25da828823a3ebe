import { textOf } from '../../messages/leaves.ts'
import { percentage } from '../../percentages.ts'
import { operator } from '../operator.ts'

export default operator({
  name: 'neq_obj',
  summary: 'Bodies that differ in a leaf or a value.',
  operands: 'scalars',
  phrases: { holds: 'differs from', fails: 'equals' },
  test: (operands) => {
    const unwanted = textOf(operands[0])
    return (datum) => percentage(textOf(datum), unwanted) < 100
  },
  cases: [
    { datum: '{"a":1}', operands: ['{"a":2}'], expect: true },
    { datum: '{"a":[1,2]}', operands: ['{"a":[2,1]}'], expect: false },
  ],
})
