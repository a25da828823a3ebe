import { context } from '../context.ts'

export default context({
  name: 'exclude_roles_access',
  summary: 'The access matrix says that the endpoint is not reached by the role named by `param`.',
  takesOperand: false,
  failure: (operands) => `The role ${operands} was not seen being refused`,
  find: (scene, operands, _patterns, lookups) => {
    const roles = lookups.rolesOf(scene.endpoint)
    return {
      // What nobody found out is not a refusal.
      holds: !operands
        .map(String)
        .some((role) => roles.includes(role) || lookups.isAccessUnknown(scene.endpoint, role)),
      records: [],
      observed: roles.join(', ') || 'no role',
    }
  },
})
