import { livesLong } from '../cookie-lifetime.ts'
import { operator } from '../operator.ts'
import { asBoolean } from '../values.ts'

export default operator({
  name: 'cookie_expire_filter',
  summary: 'Whether a cookie lives for at least two months of thirty days equals the operand.',
  operands: 'scalars',
  phrases: {
    holds: 'keeps a cookie for two months',
    fails: 'keeps no cookie for two months',
    isYesOrNo: true,
  },
  test: (operands) => {
    const wanted = asBoolean(operands[0])
    return (datum) => typeof datum === 'string' && livesLong(datum) === wanted
  },
  cases: [
    { datum: 'sid=1; Max-Age=31536000', operands: [true], expect: true },
    { datum: 'sid=1; Max-Age=60', operands: [true], expect: false },
    { datum: 'sid=1', operands: [false], expect: true },
  ],
})
