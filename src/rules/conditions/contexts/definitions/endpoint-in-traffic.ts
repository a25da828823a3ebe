import { context } from '../context.ts'

export default context({
  name: 'endpoint_in_traffic_context',
  summary:
    'Whether the inventory has an endpoint of the same collection and method for the URL of the attempt equals the operand.',
  takesOperand: true,
  failure: (operands) =>
    `The changed URL ${operands === 'true' ? 'is not' : 'is'} an endpoint of the inventory`,
  find: (scene, operands, _patterns, lookups) => {
    const { collectionId, method } = scene.endpoint
    const url = (scene.attempt ?? scene.sample).url
    const isKnown = lookups.isKnownEndpoint(collectionId, scene.attempt?.method ?? method, url)
    const wanted = String(operands[0]).toLowerCase() === 'true'
    return { holds: isKnown === wanted, records: [], observed: isKnown ? 'known' : 'not known' }
  },
})
