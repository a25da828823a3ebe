import type { SubType } from '../../../data-types/index.ts'
import { storable } from '../../../kit/index.ts'
import { keyedSegment } from '../../../path-templates/index.ts'
import type { FactKind, StoreClient } from '../../../store/index.ts'
import type { DeclaredBodyKey, DeclaredValue, DocumentedOperation } from '../port.ts'
import { isTooLong } from '../state/index.ts'

/** Parameters of one operation that are kept; documents describe hundreds at the most. */
const MAX_FACTS = 2000

/** A parameter as a document describes it. */
interface DeclaredFact {
  kind: FactKind
  code: number
  name: string
  type: string
}

const KIND_OF_PLACE: Readonly<Record<DeclaredValue['in'], FactKind>> = {
  path: 'PATH',
  query: 'QUERY',
  header: 'REQUEST_HEADER',
  cookie: 'COOKIE',
}

const TYPE_OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  email: 'EMAIL',
  'idn-email': 'EMAIL',
  uri: 'URL',
  url: 'URL',
  ipv4: 'IP_ADDRESS',
  ipv6: 'IP_ADDRESS',
  password: 'PASSWORD',
  int64: 'INTEGER_64',
}

/** Name of a declared type as parameters show it; null for objects and lists, whose parts have their own types. */
function typeOf({ type, format }: { type: string; format: string }): string | null {
  const basic: Readonly<Record<string, SubType>> = {
    integer: 'INTEGER_32',
    number: 'FLOAT',
    boolean: 'TRUE',
    string: 'GENERIC',
    null: 'NULL',
    '': 'GENERIC',
  }
  if (!Object.hasOwn(basic, type)) return null
  const isFormat = Object.hasOwn(TYPE_OF_FORMAT, format) && (type === 'string' || format === 'int64')
  return isFormat ? TYPE_OF_FORMAT[format]! : basic[type]!
}

/** What a document says about the parameters of an operation, at most {@link MAX_FACTS}, without names too long to keep. */
export function declaredFacts(operation: DocumentedOperation, path: string): DeclaredFact[] {
  const facts = new Map<string, DeclaredFact>()
  const add = (
    kind: FactKind,
    code: number,
    given: string,
    declared: { type: string; format: string },
  ): void => {
    const name = storable(given)
    const type = typeOf(declared)
    if (type === null || name === '' || isTooLong(name) || facts.size >= MAX_FACTS) return
    facts.set(`${kind} ${code} ${name}`, { kind, code, name, type })
  }
  const segments = path.split('/').slice(1)
  for (const parameter of operation.parameters ?? []) {
    const kind = KIND_OF_PLACE[parameter.in]
    const name = kind === 'REQUEST_HEADER' ? parameter.name.toLowerCase() : parameter.name
    if (kind !== 'PATH') add(kind, -1, name, parameter)
    else {
      const index = segments.findIndex((segment) => segment.includes(`{${parameter.name}}`))
      if (index >= 0) add(kind, -1, `${index}${keyNameOf(segments[index]!, parameter.name)}`, parameter)
    }
  }
  const addKeys = (kind: FactKind, code: number, keys: readonly DeclaredBodyKey[]): void => {
    for (const key of keys) add(kind, code, key.key, key)
  }
  for (const { keys } of operation.requests ?? []) addKeys('REQUEST_BODY', -1, keys)
  for (const { status, keys } of operation.responses ?? []) {
    if (/^[1-5]\d\d$/.test(status)) addKeys('RESPONSE_BODY', Number(status), keys)
  }
  return [...facts.values()]
}

/** What the name of a parameter has behind its segment's index when it is a key in parentheses; else ''. */
function keyNameOf(segment: string, parameter: string): string {
  const key = keyedSegment(segment)?.keys.find(({ value }) => value === `{${parameter}}`)
  return key === undefined ? '' : `#${key.name}`
}

/**
 * Writes declared parameters. Their count is 0: no message has shown them, so nothing about them was seen, and what a
 * message shows later counts from its own time. Rows of an older document that no message has shown are replaced.
 */
export async function writeDeclaredFacts(
  client: StoreClient,
  declared: readonly { endpointId: number; facts: readonly DeclaredFact[] }[],
  now: number,
): Promise<void> {
  if (declared.length === 0) return
  await client.query('DELETE FROM endpoint_facts WHERE endpoint_id = ANY ($1::bigint[]) AND count = 0', [
    declared.map(({ endpointId }) => endpointId),
  ])
  const rows = declared.flatMap(({ endpointId, facts }) => facts.map((fact) => ({ id: endpointId, ...fact })))
  await client.query(
    `INSERT INTO endpoint_facts (endpoint_id, kind, response_code, name, value_type, count, first_seen, last_seen)
     SELECT DISTINCT ON (d.id, d.kind, d.code, d.name, d.type) d.id, d.kind, d.code, d.name, d.type, 0, $2::integer, 0
     FROM jsonb_to_recordset($1::jsonb) AS d (id bigint, kind text, code integer, name text, type text)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows), now],
  )
}
