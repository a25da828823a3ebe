import { operator } from '../operator.ts'
import { asInteger, lowered } from '../values.ts'

export default operator({
  name: 'eq',
  summary: 'Equal to the first operand: texts without regard to case and outer blanks, integers, booleans.',
  operands: 'scalars',
  evaluate: (datum, operands) => {
    const operand = operands[0]
    if (typeof datum === 'string') return typeof operand === 'string' && lowered(datum) === lowered(operand)
    if (typeof datum === 'boolean')
      return datum === (typeof operand === 'boolean' ? operand : lowered(String(operand)) === 'true')
    return asInteger(datum) !== null && asInteger(datum) === asInteger(operand)
  },
  cases: [
    { datum: ' Admin ', operands: ['admin'], expect: true },
    { datum: 5, operands: ['5'], expect: true },
    { datum: 5, operands: [5], expect: true },
    { datum: '200', operands: [200], expect: false, because: 'a text equals texts only' },
    { datum: 201, operands: [200, 201], expect: false, because: 'only the first operand counts' },
    { datum: true, operands: ['TRUE'], expect: true },
  ],
})
