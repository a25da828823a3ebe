import { operator } from '../operator.ts'
import { asNumber } from '../values.ts'

export default operator({
  name: 'confidence',
  summary: 'A share from 0 to 1 greater than the operand.',
  operands: 'scalars',
  evaluate: (datum, operands) => {
    const [value, bound] = [asNumber(datum), asNumber(operands[0])]
    return value !== null && bound !== null && value > bound
  },
  cases: [
    { datum: 0.9, operands: [0.5], expect: true },
    { datum: 0.4, operands: [0.5], expect: false },
  ],
})
