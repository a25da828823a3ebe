import protobuf from 'protobufjs'

const { Enum, MapField, Type } = protobuf
const ENUM_KEPT = 50

/** JSON Schema of scalars, as the JSON form of protobuf writes them. */
const SCALARS: Readonly<Record<string, object>> = {
  double: { type: 'number' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  ...Object.fromEntries(
    ['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'].map((name) => [name, { type: 'integer' }]),
  ),
  ...Object.fromEntries(
    ['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'].map((name) => [
      name,
      { type: 'integer', format: 'int64' },
    ]),
  ),
}

/** Types that come with protobuf, which files import but do not hold. */
const WELL_KNOWN: Readonly<Record<string, object>> = {
  Timestamp: { type: 'string', format: 'date-time' },
  Duration: { type: 'string', example: '1s' },
  FieldMask: { type: 'string' },
  Struct: { type: 'object' },
  Value: {},
  ListValue: { type: 'array' },
  Any: { type: 'object' },
  Empty: { type: 'object', properties: {} },
  DoubleValue: { type: 'number' },
  FloatValue: { type: 'number' },
  Int64Value: { type: 'integer', format: 'int64' },
  UInt64Value: { type: 'integer', format: 'int64' },
  Int32Value: { type: 'integer' },
  UInt32Value: { type: 'integer' },
  BoolValue: { type: 'boolean' },
  StringValue: { type: 'string' },
  BytesValue: { type: 'string', format: 'byte' },
}

/** The messages of a root as JSON Schema; they refer to each other by `#/messages/<number>`. */
export class MessageSchemas {
  /** What `#/messages/…` leads into. */
  readonly root: { messages: Record<string, object> } = { messages: {} }
  /** Names that nothing defines. */
  readonly missing = new Set<string>()
  readonly #numbers = new Map<protobuf.Type, string>()
  readonly #waiting: { type: protobuf.Type; number: string }[] = []

  /** The schema of a type as it is named somewhere: scalar, enum or message. */
  of(name: string, within: protobuf.NamespaceBase): object {
    const scalar = Object.hasOwn(SCALARS, name) ? SCALARS[name] : undefined
    if (scalar !== undefined) return scalar
    const known = /^\.?google\.protobuf\.(\w+)$/.exec(name)?.[1]
    if (known !== undefined && Object.hasOwn(WELL_KNOWN, known)) return WELL_KNOWN[known]!
    const found = within.lookup(name, [Type, Enum])
    if (found instanceof Enum) return { type: 'string', enum: Object.keys(found.values).slice(0, ENUM_KEPT) }
    if (found instanceof Type) return this.#reference(found)
    this.missing.add(name)
    return { type: 'object' }
  }

  #reference(type: protobuf.Type): object {
    let number = this.#numbers.get(type)
    if (number === undefined) {
      number = String(this.#numbers.size)
      this.#numbers.set(type, number)
      this.#waiting.push({ type, number })
    }
    return { $ref: `#/messages/${number}` }
  }

  /** Writes what was referred to; before that the references lead nowhere. */
  complete(): void {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.root.messages[next.number] = this.message(next.type)
  }

  /** The fields of a message, without some. */
  message(type: protobuf.Type, without: ReadonlySet<string> = new Set()): object {
    const properties: Record<string, object> = {}
    const required: string[] = []
    for (const field of type.fieldsArray) {
      const name = jsonName(field)
      if (name === '__proto__' || without.has(field.name) || without.has(name)) continue
      properties[name] = this.field(field)
      if (field.required || behaviours(field).includes('REQUIRED')) required.push(name)
    }
    return { type: 'object', properties, required }
  }

  field(field: protobuf.Field): object {
    const value = this.of(field.type, field.parent ?? field.root)
    const whole =
      field instanceof MapField
        ? { type: 'object', additionalProperties: value }
        : field.repeated
          ? { type: 'array', items: value }
          : value
    return behaviours(field).includes('OUTPUT_ONLY') ? { allOf: [whole], readOnly: true } : whole
  }
}

/** `json_name`, else the name in camel case, which is the name in JSON. */
export function jsonName(field: protobuf.Field): string {
  const given: unknown = field.options?.['json_name']
  return typeof given === 'string' && given !== '' ? given : field.name
}

function behaviours(field: protobuf.Field): string {
  return JSON.stringify(field.options?.['(google.api.field_behavior)'] ?? field.parsedOptions ?? '')
}
