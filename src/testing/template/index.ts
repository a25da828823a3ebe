export type { ParsedTemplate } from './parse-template.ts'
export { parseTemplate, TEMPLATE_KEYS } from './parse-template.ts'
export type * from './template.ts'
export { EXECUTE_TYPES, SEVERITIES } from './template.ts'
