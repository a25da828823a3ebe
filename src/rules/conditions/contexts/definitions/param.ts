import { compilePattern } from '../../../pattern.ts'
import { context } from '../context.ts'

export default context({
  name: 'param_context',
  summary:
    'A recorded parameter of the collection whose name matches `param` and whose value does not occur in the sample.',
  takesOperand: false,
  failure: (operands) => `No other recorded value is known for a parameter named like ${operands}`,
  find: (scene, operands, _patterns, lookups) => {
    const pattern = compilePattern(String(operands[0] ?? ''))
    const record =
      typeof pattern === 'string'
        ? null
        : lookups.otherValueOf(scene.endpoint.collectionId, pattern, scene.sample)
    return {
      holds: record !== null,
      records: record === null ? [] : [record],
      observed: record?.key ?? 'no such parameter',
    }
  },
})
