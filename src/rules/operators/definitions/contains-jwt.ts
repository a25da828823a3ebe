import { hasJwt } from '../jwt.ts'
import { operator } from '../operator.ts'
import { asBoolean } from '../values.ts'

export default operator({
  name: 'contains_jwt',
  summary: 'Whether some word of the text is a JSON Web Token equals the operand.',
  operands: 'scalars',
  phrases: { holds: 'holds a JSON Web Token', fails: 'does not hold a JSON Web Token', isYesOrNo: true },
  test: (operands) => {
    const wanted = asBoolean(operands[0])
    return (datum) => typeof datum === 'string' && hasJwt(datum) === wanted
  },
  cases: [
    { datum: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2ln', operands: [true], expect: true },
    { datum: 'Bearer abc', operands: [true], expect: false },
    { datum: 'Bearer abc', operands: [false], expect: true },
  ],
})
