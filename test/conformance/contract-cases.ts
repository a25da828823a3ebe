import type { TSchema } from 'typebox'
import { coerce } from '../../src/contract/coerce.ts'
import { renderMessage } from '../../src/contract/describe-failure.ts'
import { isSendRequired } from '../../src/contract/documents/request-schema.ts'
import { type ErrorCode, errorTable } from '../../src/contract/errors.ts'
import type { KeyKind, Operation, Role } from '../../src/contract/operation.ts'
import { operationList } from '../../src/contract/registry.ts'
import type { RequestField } from '../../src/contract/request-field.ts'
import { firstMisfit } from '../../src/contract/validators.ts'
import { keyKinds, roles } from '../../src/contract/vocabulary.ts'

/** One body sent to an operation, and how its reading must go. */
interface ReadingCase {
  readonly operation: string
  /** What the case tries, for the name of a test. */
  readonly about: string
  readonly body: unknown
  /** The refusal; null when the body must be read (the handler may still refuse what it means). */
  readonly refusal: { readonly status: number; readonly code: ErrorCode; readonly message: string } | null
}

/** One caller of an operation, and what the gate must say. */
export interface AccessCase {
  readonly operation: string
  /** A key of a kind, a browser session, a key nobody has, or nothing. */
  readonly via: KeyKind | 'SESSION' | 'BAD_KEY' | 'NOTHING'
  readonly role: Role | null
  /** Code of the refusal; null when the caller passes. */
  readonly refusal: ErrorCode | null
}

type Body = Record<string, unknown>
interface Edge {
  readonly about: string
  readonly value: unknown
  readonly fits: boolean
}

/** Texts and lists longer than this are not tried at their limits: the bodies would only be large. */
const MAX_EDGE_LENGTH = 20_000

/** Every case of reading that follows from the contract, for one operation or for all. */
export function readingCases(operations: readonly Operation[] = operationList): ReadingCase[] {
  return operations.flatMap((operation) => [
    ...bodyCases(operation),
    ...Object.entries(operation.request).flatMap(([name, field]) => fieldCases(operation, name, field)),
  ])
}

/** Every combination of caller and operation, with the answer of the gate. */
export function accessCases(operations: readonly Operation[] = operationList): AccessCase[] {
  return operations.flatMap((operation) => {
    const { name } = operation
    const known = (['SESSION', ...keyKinds] as const).flatMap((via) =>
      roles.map((role) => ({ operation: name, via, role, refusal: expectedRefusal(operation, via, role) })),
    )
    return [
      { operation: name, via: 'NOTHING', role: null, refusal: 'INVALID_KEY' },
      { operation: name, via: 'BAD_KEY', role: null, refusal: 'INVALID_KEY' },
      ...known,
    ] as AccessCase[]
  })
}

function expectedRefusal(operation: Operation, via: KeyKind | 'SESSION', role: Role): ErrorCode | null {
  if (via !== 'SESSION' && operation.sessionOnly) return 'KEY_NOT_ALLOWED'
  const isNamed = via === 'SESSION' || via === 'EXTERNAL_API' || operation.keyKinds?.includes(via)
  if (!isNamed) return 'KEY_NOT_ALLOWED'
  return roles.indexOf(role) < roles.indexOf(operation.role) ? 'ROLE_DENIED' : null
}

function bodyCases(operation: Operation): ReadingCase[] {
  const { name, example } = operation
  const unread = (about: string, body: unknown): ReadingCase => ({
    operation: name,
    about,
    body,
    refusal: refusalOf('INVALID_JSON_BODY', {}),
  })
  return [
    { operation: name, about: 'the example', body: example.request, refusal: null },
    {
      operation: name,
      about: 'an unknown field',
      body: { ...example.request, noSuchField: [1] },
      refusal: null,
    },
    unread('a list as body', [example.request]),
    unread('text as body', 'text'),
    unread('null as body', null),
  ]
}

function fieldCases(operation: Operation, name: string, field: RequestField): ReadingCase[] {
  const known = { ...operation.example.request }
  const without = absent(known, name, field)
  const cases: ReadingCase[] = []
  const add = (about: string, body: Body, refusal: ReadingCase['refusal']): void => {
    cases.push({ operation: operation.name, about: `${name}: ${about}`, body, refusal })
  }
  const missing = refusalOf(field.refusal ?? 'FIELD_REQUIRED', { field: name })
  const invalid = refusalOf('INVALID_FIELD', { field: name })
  add('absent', without, mayBeAbsent(field) ? null : missing)
  add('null', { ...without, [name]: null }, nullPasses(field) ? null : missing)
  const wrong = wrongValue(field)
  if (wrong !== undefined) add('a wrong type', { ...without, [name]: wrong }, invalid)
  for (const edge of edges(field.schema)) {
    const isRead = edge.fits || fits(field.schema, field.applied?.(edge.value))
    add(edge.about, { ...without, [name]: edge.value }, isRead ? null : invalid)
  }
  if (field.alias !== null && Object.hasOwn(known, name)) {
    add(`sent as ${field.alias}`, { ...without, [field.alias]: known[name] }, null)
  }
  return cases
}

/** A body without the field, its second spelling and its substitute. */
function absent(body: Body, name: string, field: RequestField): Body {
  const gone = new Set([name, field.alias])
  if (field.exempt !== null && field.exempt !== 'always') gone.add(field.exempt.whenPresent)
  return Object.fromEntries(Object.entries(body).filter(([key]) => !gone.has(key)))
}

function mayBeAbsent(field: RequestField): boolean {
  return !isSendRequired(field) && (field.exempt === null || field.exempt === 'always')
}

/** Whether null is read when the field has no substitute. */
function nullPasses(field: RequestField): boolean {
  return field.hasDefault || !field.needed || field.exempt === 'always'
}

function refusalOf(code: ErrorCode, details: Record<string, string>): NonNullable<ReadingCase['refusal']> {
  const { status, message } = errorTable[code]
  return { status, code, message: renderMessage(message, details) }
}

/** A value the field refuses, or undefined for fields that take anything. */
function wrongValue({ schema, applied }: RequestField): unknown {
  return [{ noSuchField: 1 }, [{ noSuchField: 1 }], 'no such word', 7.5, true].find(
    (value) => !fits(schema, value) && !fits(schema, applied?.(value)),
  )
}

function fits(schema: TSchema, value: unknown): boolean {
  return firstMisfit(schema, coerce(schema, value)) === null
}

/** Values on both sides of every limit of a plain schema, and the lenient forms. */
function edges(schema: TSchema): Edge[] {
  const shape = schema as Record<string, unknown>
  const { minimum, maximum, maxLength, maxItems, minItems } = shape as Record<string, number | undefined>
  const found: Edge[] = []
  const add = (about: string, value: unknown, isWithin: boolean): void => {
    found.push({ about, value, fits: isWithin })
  }
  if (shape['format'] === 'epoch-seconds') {
    add('milliseconds', 1_769_854_500_999, true)
    add('a fraction of a second', 1_769_854_500.5, true)
    add('milliseconds beyond the last second', (maximum! + 1) * 1000, false)
  } else if (shape['type'] === 'integer' || shape['type'] === 'number') {
    if (minimum !== undefined) add(`at least ${minimum}`, minimum, true)
    if (minimum !== undefined) add(`below ${minimum}`, minimum - 1, false)
    if (maximum !== undefined) add(`at most ${maximum}`, maximum, true)
    if (maximum !== undefined) add(`above ${maximum}`, maximum + 1, false)
    if (maximum !== undefined) add('a number as text', String(maximum), true)
  }
  if (shape['type'] === 'boolean') {
    add('a boolean as text', 'true', true)
    add('another text', 'yes', false)
  }
  if (maxLength !== undefined && maxLength <= MAX_EDGE_LENGTH) {
    add(`${maxLength} characters`, 'a'.repeat(maxLength), true)
    add(`${maxLength + 1} characters`, 'a'.repeat(maxLength + 1), false)
  }
  if (shape['type'] === 'string' && shape['format'] !== 'document') add('text with U+0000', 'a\u0000', false)
  if (minItems !== undefined) add('too few items', [], false)
  const one = maxItems === undefined ? undefined : sampleOf(shape['items'] as TSchema)
  if (one !== undefined && maxItems! <= MAX_EDGE_LENGTH) {
    add(`${maxItems! + 1} items`, new Array(maxItems! + 1).fill(one), false)
  }
  return found
}

/** A value of a plain item type; undefined for records. */
function sampleOf(items: TSchema): unknown {
  return [1, 'a'].find((value) => fits(items, value))
}
