export { isSelfRequest } from './caller-traits.ts'
export { Callers } from './callers.ts'
