import { operator } from '../operator.ts'
import { lowered } from '../values.ts'

export default operator({
  name: 'contains_either',
  summary: 'A text that holds at least one of the operands, without regard to case.',
  operands: 'scalars',
  evaluate: (datum, operands) =>
    typeof datum === 'string' &&
    operands.some((operand) => lowered(datum).includes(lowered(String(operand)))),
  cases: [
    { datum: 'You are ADMIN', operands: ['root', 'admin'], expect: true },
    { datum: 'user', operands: ['admin'], expect: false },
    { datum: 5, operands: ['5'], expect: false, because: 'numbers are no texts' },
    { datum: 'x', operands: [''], expect: true },
  ],
})
