import { operator } from '../operator.ts'
import { findsPattern } from '../values.ts'

export default operator({
  name: 'regex_extract',
  summary: 'A text in which one of the patterns is found; the matches become what a following extract saves.',
  operands: 'patterns',
  phrases: { holds: 'looks like', fails: 'does not look like' },
  test: findsPattern,
  cases: [
    { datum: 'id=77', operands: ['id=([0-9]+)'], expect: true },
    { datum: 'none', operands: ['id=([0-9]+)'], expect: false },
  ],
})
