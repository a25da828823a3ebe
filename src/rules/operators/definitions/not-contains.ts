import { operator } from '../operator.ts'
import { lowered } from '../values.ts'

export default operator({
  name: 'not_contains',
  summary: 'Holds none of the operands; what is no text holds none.',
  operands: 'scalars',
  evaluate: (datum, operands) =>
    typeof datum !== 'string' ||
    !operands.some((operand) => lowered(datum).includes(lowered(String(operand)))),
  cases: [
    { datum: 'user', operands: ['admin', 'root'], expect: true },
    { datum: 'Admin', operands: ['admin'], expect: false },
    { datum: 5, operands: ['5'], expect: true },
  ],
})
