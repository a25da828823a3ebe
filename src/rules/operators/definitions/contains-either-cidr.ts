import { isInside, rangesOf } from '../cidr.ts'
import { operator } from '../operator.ts'

export default operator({
  name: 'contains_either_cidr',
  summary: 'An address inside one of the ranges.',
  operands: 'ranges',
  phrases: { holds: 'is in the range', fails: 'is not in the range' },
  test: (operands) => {
    const ranges = rangesOf(operands)
    return (datum) => typeof datum === 'string' && isInside(datum, ranges) === true
  },
  cases: [
    { datum: '10.1.2.3', operands: ['10.0.0.0/8'], expect: true },
    { datum: '11.1.2.3', operands: ['10.0.0.0/8'], expect: false },
    { datum: 'host', operands: ['10.0.0.0/8'], expect: false },
  ],
})
