import { operator } from '../operator.ts'
import { lowered } from '../values.ts'

export default operator({
  name: 'not_contains_either',
  summary: 'A text that lacks at least one of the operands.',
  operands: 'scalars',
  evaluate: (datum, operands) =>
    typeof datum === 'string' &&
    operands.some((operand) => !lowered(datum).includes(lowered(String(operand)))),
  cases: [
    { datum: 'a', operands: ['a', 'b'], expect: true },
    { datum: 'ab', operands: ['a', 'b'], expect: false },
  ],
})
