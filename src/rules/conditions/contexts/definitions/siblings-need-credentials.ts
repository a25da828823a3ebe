import { context } from '../context.ts'

export default context({
  name: 'siblings_need_credentials',
  summary:
    'Whether the recorded calls of the endpoint carried credentials, and most endpoints beside it refuse requests without, equals the operand.',
  takesOperand: true,
  failure: (operands) =>
    operands === 'true'
      ? 'The endpoint is called without credentials, or too few endpoints beside it refuse requests without them (401 or 403)'
      : 'Most endpoints beside it need credentials',
  find: (scene, operands, _patterns, lookups) => {
    const guarded = lookups.guardedSiblingsOf(scene.endpoint)
    const wanted = String(operands[0]).toLowerCase() === 'true'
    return {
      holds: guarded.length > 0 === wanted,
      records: [],
      observed:
        guarded.length === 0 ? 'no such sibling' : `refuse strangers: ${guarded.slice(0, 5).join(', ')}`,
    }
  },
})
