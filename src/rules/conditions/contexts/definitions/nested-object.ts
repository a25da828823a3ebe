import { objectNamesOf } from '../../../messages/object-names.ts'
import { context } from '../context.ts'

export default context({
  name: 'nested_object',
  summary:
    'Whether the request names an object together with one that it is kept in, such as `/projects/7/items/12` or `/items/12?project=7`, equals the operand.',
  takesOperand: true,
  failure: (operands) =>
    operands === 'true'
      ? 'The request does not name an object together with one that it is kept in'
      : 'The request names an object together with one that it is kept in',
  find: (scene, operands) => {
    const names = objectNamesOf(scene.endpoint.url, scene.sample)
    const wanted = String(operands[0]).toLowerCase() === 'true'
    return {
      holds: names.length > 1 === wanted,
      records: [],
      observed: names.map(({ kind }) => kind).join(', ') || 'no identifier',
    }
  },
})
