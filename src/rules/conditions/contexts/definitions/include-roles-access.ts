import { context } from '../context.ts'

export default context({
  name: 'include_roles_access',
  summary: 'The access matrix says that the endpoint is reached by the role named by `param`.',
  takesOperand: false,
  failure: (operands) => `The role ${operands} was not seen reaching the endpoint`,
  find: (scene, operands, _patterns, lookups) => {
    const roles = lookups.rolesOf(scene.endpoint)
    return {
      holds: operands.some((role) => roles.includes(String(role))),
      records: [],
      observed: roles.join(', ') || 'no role',
    }
  },
})
