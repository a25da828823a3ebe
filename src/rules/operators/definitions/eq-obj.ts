import { textOf } from '../../messages/leaves.ts'
import { percentage } from '../../percentages.ts'
import { operator } from '../operator.ts'

export default operator({
  name: 'eq_obj',
  summary: 'Bodies with the same leaves and values, whatever their order; other texts that are the same.',
  operands: 'scalars',
  phrases: { holds: 'equals', fails: 'does not equal' },
  test: (operands) => {
    const wanted = textOf(operands[0])
    return (datum) => percentage(textOf(datum), wanted) === 100
  },
  cases: [
    { datum: '{"a":1,"b":2}', operands: ['{"b":2,"a":1}'], expect: true },
    { datum: '{"a":1}', operands: ['{"a":2}'], expect: false },
  ],
})
