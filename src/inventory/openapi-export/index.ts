export type { OpenApiPage, OpenApiRequest } from './openapi-of.ts'
export { openApiOf } from './openapi-of.ts'
