import { context } from '../context.ts'

export default context({
  name: 'administrators_function',
  summary:
    'Whether the endpoint is for administrators equals the operand: only they were recorded using it, an ordinary user was recorded being rejected, or its path names administration. False if ordinary users were recorded using it; the path does not count if they use anything below that name.',
  takesOperand: true,
  failure: (operands) =>
    operands === 'true'
      ? 'Ordinary users were recorded using the endpoint, or nothing indicates that it is for administrators'
      : 'Recorded traffic or the path indicates that the endpoint is for administrators',
  find: (scene, operands, _patterns, lookups) => {
    const { users, word, isRefused } = lookups.functionUseOf(scene.endpoint)
    const isTheirs = users !== 'ordinary' && (users === 'administrators' || word !== '' || isRefused)
    const wanted = String(operands[0]).toLowerCase() === 'true'
    const named = word === '' ? '' : `, path contains ${word}`
    return {
      holds: isTheirs === wanted,
      records: [],
      observed: `used by: ${users}${named}${isRefused ? ', ordinary users rejected' : ''}`,
    }
  },
})
