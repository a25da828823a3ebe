/** Pages of the HTTP interface, one for each group of operations, from the OpenAPI document. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>>
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

const ENUM_SHOWN = 12

/** Markdown of each page by its path below `docs`. */
export function interfacePages(text: string): Map<string, string> {
  const document = JSON.parse(text) as Document
  const groups = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'other'
      const list = groups.get(tag) ?? []
      list.push(operationText(`${method.toUpperCase()} ${path}`, operation, document))
      groups.set(tag, list)
    }
  const pages = new Map<string, string>()
  for (const [tag, operations] of groups)
    pages.set(
      `interface/${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.md`,
      `# ${titleOf(tag)}\n\n${operations.join('\n')}`,
    )
  return pages
}

function titleOf(tag: string): string {
  const words = tag.replaceAll('-', ' ')
  return `Operations: ${words}`
}

function operationText(address: string, operation: Operation, document: Document): string {
  const media = operation.requestBody?.content?.['application/json']
  const schema = resolved(media?.schema, document)
  const rows = Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const isRequired = schema?.required?.includes(name) === true
    return `| \`${name}\`${isRequired ? ' (required)' : ''} | ${cell(typeOf(resolved(field, document), document))} | ${cell(field.description ?? '')} |`
  })
  const table = rows.length === 0 ? '' : `\n| Field | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`
  const example =
    media?.example === undefined
      ? ''
      : `\n\`\`\`json\n${JSON.stringify(media.example, null, 2).slice(0, 2000)}\n\`\`\`\n`
  return `## ${operation.operationId ?? address}\n\n\`${address}\`: ${operation.summary ?? ''}\n\n${operation.description ?? ''}\n${table}${example}`
}

function resolved(schema: Schema | undefined, document: Document): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : document.components?.schemas?.[name]
}

function typeOf(schema: Schema | undefined, document: Document): string {
  if (schema === undefined) return ''
  if (schema.enum !== undefined)
    return (
      schema.enum
        .slice(0, ENUM_SHOWN)
        .map((one) => `\`${String(one)}\``)
        .join(', ') + (schema.enum.length > ENUM_SHOWN ? ', …' : '')
    )
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => typeOf(resolved(one, document), document)))]
      .filter((one) => one !== '')
      .join(' or ')
  const type = [schema.type ?? 'any'].flat().join(' or ')
  return type === 'array' ? `list of ${typeOf(resolved(schema.items, document), document)}` : type
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
