import { operator } from '../operator.ts'
import { lowered } from '../values.ts'

export default operator({
  name: 'contains_all',
  summary: 'A text that holds every operand, without regard to case.',
  operands: 'scalars',
  evaluate: (datum, operands) =>
    typeof datum === 'string' &&
    operands.every((operand) => lowered(datum).includes(lowered(String(operand)))),
  cases: [
    { datum: 'ami-id\ninstance-id', operands: ['ami-id', 'instance-id'], expect: true },
    { datum: 'ami-id', operands: ['ami-id', 'instance-id'], expect: false },
    { datum: 7, operands: ['7'], expect: false },
  ],
})
