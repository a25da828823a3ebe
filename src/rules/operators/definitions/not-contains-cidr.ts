import { isInside, rangesOf } from '../cidr.ts'
import { operator } from '../operator.ts'

export default operator({
  name: 'not_contains_cidr',
  summary: 'An address outside all of the ranges, or no address.',
  operands: 'ranges',
  phrases: { holds: 'is outside the range', fails: 'is in the range' },
  test: (operands) => {
    const ranges = rangesOf(operands)
    return (datum) => typeof datum === 'string' && isInside(datum, ranges) !== true
  },
  cases: [
    { datum: '11.1.2.3', operands: ['10.0.0.0/8'], expect: true },
    { datum: '10.1.2.3', operands: ['10.0.0.0/8'], expect: false },
  ],
})
