export { openApiOf } from './openapi-of.ts'
