import { operator } from '../operator.ts'
import { finds } from '../values.ts'

export default operator({
  name: 'regex_extract',
  summary: 'A text in which one of the patterns is found; the matches become what a following extract saves.',
  operands: 'patterns',
  evaluate: (datum, operands) =>
    typeof datum === 'string' && operands.some((operand) => finds(String(operand), datum)),
  cases: [
    { datum: 'id=77', operands: ['id=([0-9]+)'], expect: true },
    { datum: 'none', operands: ['id=([0-9]+)'], expect: false },
  ],
})
