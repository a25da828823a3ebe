export type * from './template.ts'
export { EXECUTE_TYPES, SEVERITIES } from './template.ts'
