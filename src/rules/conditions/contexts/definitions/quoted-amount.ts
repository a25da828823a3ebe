import { compilePattern } from '../../../pattern.ts'
import { context } from '../context.ts'

export default context({
  name: 'quoted_amount_context',
  summary:
    'The request repeats, in a field whose name matches `param`, an amount that the application named in an answer about another object of the request.',
  takesOperand: false,
  failure: (operands) =>
    `No field named like ${operands} repeats an amount that the application named before, so the amount may be the caller's own to set`,
  find: (scene, operands, _patterns, lookups) => {
    const pattern = compilePattern(String(operands[0] ?? ''))
    const records =
      typeof pattern === 'string' ? [] : lookups.quotedAmountsOf(scene.endpoint, pattern, scene.sample)
    return {
      holds: records.length > 0,
      records,
      observed: records.map(({ key }) => key).join(', ') || 'no such field',
    }
  },
})
