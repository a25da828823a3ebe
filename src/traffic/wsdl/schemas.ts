import { childrenOf, qualified, type XmlNode } from '../xml-tree.ts'

const XSD = 'http://www.w3.org/2001/XMLSchema'

const MAX_GROUP_DEPTH = 30
const ENUM_KEPT = 20
/** Elements and groups that are looked at; groups may hold each other many times. */
const MAX_PARTICLES = 500_000

/** JSON Schema of what XML Schema has built in; anything else of it is text. */
const BUILT_IN: Readonly<Record<string, object>> = {
  boolean: { type: 'boolean' },
  decimal: { type: 'number' },
  double: { type: 'number' },
  float: { type: 'number' },
  dateTime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  anyURI: { type: 'string', format: 'uri' },
  ...Object.fromEntries(
    [
      'integer',
      'int',
      'long',
      'short',
      'byte',
      'unsignedInt',
      'unsignedLong',
      'unsignedShort',
      'unsignedByte',
    ]
      .concat(['nonNegativeInteger', 'positiveInteger', 'nonPositiveInteger', 'negativeInteger'])
      .map((name) => [name, { type: 'integer' }]),
  ),
}

interface Definition {
  readonly node: XmlNode
  /** The schema that holds it. */
  readonly schema: XmlNode
}

interface Particles {
  readonly properties: Record<string, object>
  readonly required: string[]
}

/**
 * The schemas of a description, as JSON Schema: objects whose properties are child elements in their order. Definitions
 * refer to each other by `#/definitions/<number>`, so types that hold themselves end.
 */
export class XmlSchemas {
  /** What `#/definitions/…` leads into. */
  readonly root: { definitions: Record<string, object> } = { definitions: {} }
  /** Names that nothing in the document defines. */
  readonly missing = new Set<string>()
  readonly #elements = new Map<string, Definition>()
  readonly #types = new Map<string, Definition>()
  readonly #groups = new Map<string, Definition>()
  readonly #numbers = new Map<XmlNode, string>()
  readonly #waiting: { node: XmlNode; number: string }[] = []
  #left = MAX_PARTICLES

  constructor(schemas: readonly XmlNode[]) {
    for (const schema of schemas) {
      const space = schema.attributes.get('targetNamespace') ?? ''
      for (const node of schema.children) {
        const name = node.attributes.get('name')
        if (name === undefined) continue
        const map =
          node.name === 'element'
            ? this.#elements
            : node.name === 'group'
              ? this.#groups
              : /^(?:complex|simple)Type$/.test(node.name)
                ? this.#types
                : undefined
        map?.set(`{${space}}${name}`, { node, schema })
      }
    }
  }

  /** Whether the children of an element of that name are in its namespace. */
  isQualified(name: string): boolean {
    return this.#elements.get(name)?.schema.attributes.get('elementFormDefault') === 'qualified'
  }

  /** The schema of a global element's content. */
  ofElement(name: string): object {
    const found = this.#elements.get(name)
    return found === undefined ? this.#unknown(name) : this.#typed(found.node)
  }

  /** The schema of a type, defined or built in. */
  ofType(name: string): object {
    const local = name.slice(name.indexOf('}') + 1)
    if (name.startsWith(`{${XSD}}`)) return BUILT_IN[local] ?? { type: 'string' }
    const found = this.#types.get(name)
    return found === undefined ? this.#unknown(name) : this.#reference(found.node)
  }

  #unknown(name: string): object {
    this.missing.add(name.slice(name.indexOf('}') + 1))
    return { type: 'string' }
  }

  /** A definition once, by reference. */
  #reference(node: XmlNode): object {
    let number = this.#numbers.get(node)
    if (number === undefined) {
      number = String(this.#numbers.size)
      this.#numbers.set(node, number)
      this.#waiting.push({ node, number })
    }
    return { $ref: `#/definitions/${number}` }
  }

  /** Writes what was referred to; before that the references lead nowhere. Types refer to others without end. */
  complete(): void {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.root.definitions[next.number] =
        next.node.name === 'simpleType' ? this.#simple(next.node) : this.#complex(next.node)
  }

  #content(element: XmlNode): object {
    const reference = qualified(element, 'ref')
    return reference === undefined ? this.#typed(element) : this.ofElement(reference)
  }

  /** What an element holds: its type by name, its own one, or text. */
  #typed(element: XmlNode): object {
    const type = qualified(element, 'type')
    if (type !== undefined) return this.ofType(type)
    const [inner] = element.children.filter(({ name }) => /^(?:complex|simple)Type$/.test(name))
    return inner === undefined ? { type: 'string' } : this.#reference(inner)
  }

  #simple(node: XmlNode): object {
    const [restriction] = childrenOf(node, 'restriction')
    if (restriction === undefined) return { type: 'string' }
    const base = qualified(restriction, 'base')
    const values = childrenOf(restriction, 'enumeration').flatMap((one) => one.attributes.get('value') ?? [])
    const facet = (name: string): number | undefined => {
      const value = Number(childrenOf(restriction, name)[0]?.attributes.get('value') ?? Number.NaN)
      return Number.isFinite(value) ? value : undefined
    }
    const bounds = {
      minimum: facet('minInclusive'),
      maximum: facet('maxInclusive'),
      minLength: facet('minLength') ?? facet('length'),
      maxLength: facet('maxLength') ?? facet('length'),
    }
    const given = Object.entries(bounds).filter(([, value]) => value !== undefined)
    const basis = base === undefined ? { type: 'string' } : this.ofType(base)
    return {
      ...('$ref' in basis ? { allOf: [basis] } : basis),
      ...Object.fromEntries(given),
      ...(values.length > 0 ? { enum: values.slice(0, ENUM_KEPT) } : {}),
    }
  }

  #complex(node: XmlNode): object {
    const [simple] = childrenOf(node, 'simpleContent')
    const [content] = simple === undefined ? childrenOf(node, 'complexContent') : [simple]
    const derived = content?.children.find(({ name }) => name === 'extension' || name === 'restriction')
    const base = derived === undefined ? undefined : qualified(derived, 'base')
    if (simple !== undefined) return base === undefined ? { type: 'string' } : this.ofType(base)
    const own = this.#object(derived ?? node)
    const extends_ = derived?.name === 'extension' && base !== undefined && !base.startsWith(`{${XSD}}`)
    return extends_ ? { allOf: [this.ofType(base), own] } : own
  }

  #object(node: XmlNode): object {
    const properties: Record<string, object> = {}
    const required: string[] = []
    this.#collect(node, { properties, required }, false, 0)
    return { type: 'object', properties, required }
  }

  #collect(node: XmlNode, into: Particles, isOptional: boolean, depth: number): void {
    if (depth > MAX_GROUP_DEPTH) return
    for (const child of node.children) {
      if (this.#left-- <= 0) return
      const optional = isOptional || child.attributes.get('minOccurs') === '0'
      if (child.name === 'element') {
        const reference = qualified(child, 'ref')
        const name = child.attributes.get('name') ?? reference?.slice(reference.indexOf('}') + 1)
        if (name === undefined || name === '__proto__') continue
        const most = child.attributes.get('maxOccurs') ?? '1'
        const content = this.#content(child)
        into.properties[name] = most === '1' || most === '0' ? content : { type: 'array', items: content }
        if (!optional) into.required.push(name)
      } else if (/^(?:sequence|all)$/.test(child.name)) this.#collect(child, into, optional, depth + 1)
      else if (child.name === 'choice') this.#collect(child, into, true, depth + 1)
      else if (child.name === 'group') {
        const group = this.#groups.get(qualified(child, 'ref') ?? '')
        if (group !== undefined) this.#collect(group.node, into, optional, depth + 1)
      }
    }
  }
}
