import { context } from '../context.ts'

export default context({
  name: 'api_access_type',
  summary: 'Where the endpoint is called from: private, public or partner; with several, only public holds.',
  takesOperand: false,
  failure: (operands) => `The endpoint is not ${operands}`,
  find: (scene, operands, _patterns, lookups) => {
    const types = lookups.accessTypesOf(scene.endpoint)
    const wanted = String(operands[0]).toLowerCase()
    const holds = types.length === 1 ? types[0] === wanted : types.length > 1 && wanted === 'public'
    return { holds, records: [], observed: types.join(', ') || 'not known' }
  },
})
