import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { fieldsOf, type GraphqlPlace, graphqlOperation } from '../graphql/operations.ts'
import { readGraphqlSchema } from '../graphql/read-schema.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { Importer } from '../importer.ts'

const MAX_OPERATIONS = 5_000
const USUAL_PATH = '/graphql'
/** What every schema has: its root types. */
const ROOT = /^(?:extend[ \t]+)?(?:schema\b[^\n]*\{|type[ \t]+(?:Query|Mutation)\b[^\n:=]*(?:\{|$))/m

/**
 * GraphQL descriptions: the schema definition language, or the JSON answer to an introspection query. Each field of the
 * query and mutation types is declared as an operation; subscriptions are skipped, they are not requests.
 */
export const graphqlImporter: Importer = {
  name: 'graphql',
  label: 'GraphQL schema (SDL or introspection JSON)',
  endings: ['.graphql', '.graphqls', '.gql'],
  detect: ({ shape, keys, isArray, head, text }) => {
    if (shape === 'json')
      return !isArray && (keys.has('__schema') || (keys.has('data') && /"__schema"\s*:/.test(head)))
    return shape === 'text' && ROOT.test(text)
  },
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const { schema, warnings: odd } = readGraphqlSchema(text)
    const report = new ImportReportWriter(options.fileName ?? 'GraphQL')
    for (const { where, reason } of warnings) report.warn(where, reason)
    for (const reason of odd) report.warn('', reason)
    const place = placeOf(options.baseUrl ?? '')
    const fields = [
      ...fieldsOf(schema.getQueryType()).map((field) => ['query', field] as const),
      ...fieldsOf(schema.getMutationType()).map((field) => ['mutation', field] as const),
    ]
    if (fields.length === 0) throw unreadable('graphql', 'it describes neither queries nor mutations')
    if (fields.length > MAX_OPERATIONS)
      report.stop('', `only the first ${MAX_OPERATIONS} operations are read`)
    const declared = fields
      .slice(0, MAX_OPERATIONS)
      .map(([type, field], index) => graphqlOperation(type, field, index, place))
    for (const { index, where, method, origin, path } of declared)
      report.take(index, where, describeRequest(method, origin + path))
    for (const [at, { name }] of fieldsOf(schema.getSubscriptionType()).entries())
      report.skip(declared.length + at, `subscription ${name}`, name, 'subscriptions are not tested')
    return { importer: 'graphql', exchanges: [], declared, report }
  },
}

/** A schema does not say where its endpoint is. */
function placeOf(address: string): GraphqlPlace {
  if (!URL.canParse(address)) return { origin: '', path: /^\/[^\s?#]+$/.test(address) ? address : USUAL_PATH }
  const { origin, pathname } = new URL(address)
  return { origin, path: pathname === '/' ? USUAL_PATH : pathname.replace(/\/$/, '') }
}
