import { operator } from '../operator.ts'
import { asBoolean, asInteger, lowered } from '../values.ts'

export default operator({
  name: 'eq',
  summary: 'Equal to the first operand: texts without regard to case and outer blanks, integers, booleans.',
  operands: 'scalars',
  phrases: { holds: 'is', fails: 'is not' },
  test: (operands) => {
    const operand = operands[0]
    const text = typeof operand === 'string' ? lowered(operand) : null
    const truth = asBoolean(operand)
    const integer = asInteger(operand)
    return (datum) => {
      if (typeof datum === 'string') return text !== null && lowered(datum) === text
      if (typeof datum === 'boolean') return datum === truth
      return integer !== null && asInteger(datum) === integer
    }
  },
  cases: [
    { datum: ' Admin ', operands: ['admin'], expect: true },
    { datum: 5, operands: ['5'], expect: true },
    { datum: 5, operands: [5], expect: true },
    { datum: 9007199254740993n, operands: ['9007199254740993'], expect: true },
    { datum: 9007199254740993n, operands: ['9007199254740992'], expect: false },
    { datum: '200', operands: [200], expect: false, because: 'a text equals texts only' },
    { datum: 201, operands: [200, 201], expect: false, because: 'only the first operand counts' },
    { datum: true, operands: ['TRUE'], expect: true },
  ],
})
