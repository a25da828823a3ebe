import { operator } from '../operator.ts'
import { findsPattern } from '../values.ts'

export default operator({
  name: 'regex',
  summary: 'A text in which one of the patterns is found; case counts.',
  operands: 'patterns',
  phrases: { holds: 'looks like', fails: 'does not look like' },
  test: findsPattern,
  cases: [
    { datum: 'order 77', operands: ['\\d+'], expect: true },
    { datum: 'Admin', operands: ['admin'], expect: false },
    { datum: 'Admin', operands: ['(?i)admin'], expect: true },
    { datum: 5, operands: ['5'], expect: false, because: 'numbers are not texts' },
  ],
})
