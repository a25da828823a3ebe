import { context } from '../context.ts'

export default context({
  name: 'exclude_roles_access',
  summary: 'The access matrix says that the endpoint is not reached by the role named by `param`.',
  takesOperand: false,
  find: (scene, operands, _patterns, lookups) => {
    const roles = lookups.rolesOf(scene.endpoint)
    return {
      holds: !operands.some((role) => roles.includes(String(role))),
      records: [],
      observed: roles.join(', ') || 'no role',
    }
  },
})
