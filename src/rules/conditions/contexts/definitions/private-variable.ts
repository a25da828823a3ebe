import { context } from '../context.ts'

export default context({
  name: 'private_variable_context',
  summary:
    'The request carries values that only its own user sent; a `regex` keeps those whose value matches.',
  takesOperand: false,
  failure: () => 'The request has no identifier that only its own user sent',
  find: (scene, _operands, patterns, lookups) => {
    const all = lookups.privateValuesOf(scene.endpoint, scene.sample)
    const records = all.filter(({ value }) => patterns.every((pattern) => pattern.test(value)))
    return {
      holds: records.length > 0,
      records,
      observed: records.map(({ key }) => key).join(', ') || 'no private value',
    }
  },
})
