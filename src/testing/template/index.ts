export { parseTemplate } from './parse-template.ts'
export type {
  CauseScope,
  Operation,
  PositionPart,
  Severity,
  Step,
  Template,
  TemplateCause,
  TemplateFields,
  TemplatePositions,
} from './template.ts'
export { EXECUTE_TYPES } from './template.ts'
export { templateSchema } from './template-schema.ts'
