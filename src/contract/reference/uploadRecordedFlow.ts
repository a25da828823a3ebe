import { adapter } from './adapter.ts'

/** A flow that names no role is one of the attacker's. */
export const uploadRecordedFlow = adapter('uploadRecordedFlow', {
  defaults: { roleName: 'ATTACKER_TOKEN_ALL' },
})
