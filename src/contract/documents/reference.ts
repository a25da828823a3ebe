import { createHash } from 'node:crypto'
import { escapeMarkup } from '../../kit/index.ts'
import { answerFields } from '../answer-schema.ts'
import { errorGroups, errorTable } from '../errors.ts'
import type { GroupName, Operation } from '../operation.ts'
import { operationList } from '../registry.ts'
import type { RequestField } from '../request-field.ts'
import { routes } from '../routes.ts'
import { groups } from '../vocabulary.ts'
import type { PlainSchema } from './components.ts'
import { paragraphs, withCode } from './html.ts'
import { interfaceNotes } from './interface-notes.ts'
import { completeExample } from './openapi.ts'
import { referenceScript, referenceStyle } from './reference-assets.ts'
import { fieldNotes, isSendRequired, takesNull } from './request-schema.ts'
import { namedRecords, typeText } from './type-text.ts'

/** Source expression for `script-src` that lets the page's one inline script run (CSP level 2). */
export const referenceScriptSource = `'sha256-${createHash('sha256').update(referenceScript).digest('base64')}'`

const accessWords = { read: 'reads', write: 'writes' } as const

/** The interface as one HTML page to read: no outside resources, light and dark, readable without its script. */
export function referencePage(): string {
  const used = Object.keys(groups).filter((name) => membersOf(name as GroupName).length > 0) as GroupName[]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Vigil interface</title><style>${referenceStyle}</style></head>
<body><a class="skip" href="#content">Skip to the operations</a>
<nav aria-label="Operations"><p class="brand">Vigil interface</p>
<label class="search" hidden>Search <input type="search" id="search" autocomplete="off"></label>
<p id="found" role="status" hidden></p>
${used.map(navigation).join('\n')}
<h2>More</h2><ul><li><a href="#server">Server paths</a></li><li><a href="#records">Records</a></li><li><a href="#errors">Errors</a></li></ul></nav>
<main id="content"><h1>Vigil interface</h1>${interfaceNotes.map(paragraphs).join('')}
${used.map(section).join('\n')}
${serverSection()}
${recordSection()}
${errorSection()}
</main><script>${referenceScript}</script></body></html>
`
}

function membersOf(name: GroupName): Operation[] {
  return operationList.filter((operation) => operation.group === name)
}

function navigation(name: GroupName): string {
  const items = membersOf(name).map(
    (one) => `<li data-name="${one.name}"><a href="#${one.name}">${one.name}</a></li>`,
  )
  return `<h2>${escapeMarkup(groups[name])}</h2><ul>${items.join('')}</ul>`
}

function section(name: GroupName): string {
  return `<section><h2>${escapeMarkup(groups[name])}</h2>${membersOf(name).map(article).join('\n')}</section>`
}

function article(operation: Operation): string {
  const { name, summary, description, note } = operation
  const keys = operation.sessionOnly
    ? 'browser session only'
    : `keys: ${['EXTERNAL_API', ...(operation.keyKinds ?? [])].join(', ')}`
  const facts = [
    operation.inSpecification ? `specification: ${operation.specified}` : 'beside the specification',
    `role ${operation.role}`,
    accessWords[operation.access],
    operation.idempotent ? 'idempotent' : 'not idempotent',
    keys,
    operation.bodyLimit === 'import' ? 'body up to 100 MiB' : '',
  ].filter((fact) => fact !== '')
  return `<article id="${name}" data-name="${name}"><h3><a href="#${name}">${name}</a></h3>
<p class="summary">${escapeMarkup(summary)}</p><p class="facts">${facts.map((fact) => `<span>${escapeMarkup(fact)}</span>`).join(' ')}</p>
${paragraphs(description)}${operation.inSpecification && note !== undefined ? `<p class="note">Against the specification: ${withCode(note)}</p>` : ''}
${requestTable(operation)}${answerTable(operation)}${examples(operation)}${ownErrors(operation)}</article>`
}

function requestTable(operation: Operation): string {
  const fields = Object.entries(operation.request)
  if (fields.length === 0) return '<h4>Request</h4><p>No fields: <code>{}</code></p>'
  return table('Request', ['Field', 'Type', 'Required', 'Meaning'], fields.map(requestRow))
}

function requestRow([name, field]: [string, RequestField]): string[] {
  const type = typeText(field.schema as PlainSchema)
  const meaning = [field.description, ...fieldNotes(field)].join(' ')
  return [code(name), escapeMarkup(type), presence(field), withCode(meaning)]
}

function presence(field: RequestField): string {
  if (!isSendRequired(field)) return 'no'
  return takesNull(field) ? 'yes, may be null' : 'yes'
}

function answerTable(operation: Operation): string {
  const { answer } = operation
  if (answer.shape === 'none') return '<h4>Answer</h4><p>Status 200, no content.</p>'
  if (answer.shape === 'wide') {
    const fields = answerFields(answer)
    const rows = answer.fills.map((name) => propertyRow(name, fields[name]!.schema as PlainSchema))
    const rest = `<p>The other fields of ${recordLink(answer.record.name)} hold their fillers.</p>`
    return `${rows.length === 0 ? '<h4>Answer</h4>' : table('Answer', ['Field', 'Type', 'Meaning'], rows)}${rest}`
  }
  const schema = answer.schema as PlainSchema
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, PlainSchema>)
  if (properties.length === 0) return `<h4>Answer</h4><p>${linked(typeText(schema))}</p>`
  const rows = properties.map(([name, part]) => propertyRow(name, part))
  return table('Answer', ['Field', 'Type', 'Meaning'], rows)
}

function propertyRow(name: string, schema: PlainSchema): string[] {
  const description = schema['title'] === undefined ? schema['description'] : ''
  return [code(name), linked(typeText(schema)), withCode(String(description ?? ''))]
}

function examples(operation: Operation): string {
  const request = JSON.stringify(operation.example.request, null, 2)
  const answer = completeExample(operation)
  const shown =
    answer === undefined ? '' : `<h5>Answer</h5><pre>${escapeMarkup(JSON.stringify(answer, null, 2))}</pre>`
  return `<details><summary>Example</summary><h5>POST /api/${operation.name}</h5><pre>${escapeMarkup(request)}</pre>${shown}</details>`
}

function ownErrors(operation: Operation): string {
  if (operation.errors.length === 0) return ''
  const rows = operation.errors.map((name) => errorRowCells(name))
  return table('Specific errors', ['Status', 'Code', 'Sentence'], rows)
}

function errorRowCells(name: keyof typeof errorTable): string[] {
  const { status, message } = errorTable[name]
  return [String(status), `<a href="#error-${name}"><code>${name}</code></a>`, withCode(message)]
}

function serverSection(): string {
  const rows = routes.map((route) => [
    code(`${route.method} ${route.path}`),
    escapeMarkup(route.audience),
    escapeMarkup(`${route.summary}. ${route.description}`),
  ])
  return `<section id="server"><h2>Server paths</h2>${table('', ['Path', 'For', 'Meaning'], rows)}</section>`
}

function recordSection(): string {
  const records = new Map<string, PlainSchema>()
  for (const { answer, request } of operationList) {
    for (const field of Object.values(request)) namedRecords(field.schema as PlainSchema, records)
    if (answer.shape === 'root') namedRecords(answer.schema as PlainSchema, records)
    if (answer.shape !== 'wide') continue
    const { name, description } = answer.record
    const properties = Object.fromEntries(
      Object.entries(answer.record.fields).map(([key, field]) => [key, field.schema as PlainSchema]),
    )
    namedRecords({ title: name, description, properties }, records)
    for (const field of Object.values(answer.extra)) namedRecords(field.schema as PlainSchema, records)
  }
  const sorted = [...records].sort(([a], [b]) => (a < b ? -1 : 1))
  return `<section id="records"><h2>Records</h2>${sorted.map(([name, schema]) => record(name, schema)).join('\n')}</section>`
}

function record(name: string, schema: PlainSchema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, PlainSchema>)
  const rows = properties.map(([key, part]) => propertyRow(key, part))
  const about = withCode(String(schema['description'] ?? ''))
  return `<article id="record-${name}"><h3>${name}</h3><p>${about}</p>${table('', ['Field', 'Type', 'Meaning'], rows)}</article>`
}

function errorSection(): string {
  const parts = Object.entries(errorGroups).map(([title, rows]) => {
    const cells = Object.entries(rows).map(([name, row]) => [
      String(row.status),
      `<code id="error-${name}">${name}</code>`,
      withCode(row.message),
      withCode(row.remedy),
    ])
    if (cells.length === 0) return ''
    return `<h3>${escapeMarkup(title)}</h3>${table('', ['Status', 'Code', 'Sentence', 'What helps'], cells)}`
  })
  return `<section id="errors"><h2>Errors</h2>${parts.join('')}</section>`
}

function table(caption: string, heads: readonly string[], rows: readonly string[][]): string {
  const title = caption === '' ? '' : `<h4>${escapeMarkup(caption)}</h4>`
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `${title}<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

function code(text: string): string {
  return `<code>${escapeMarkup(text)}</code>`
}

function recordLink(name: string): string {
  return `<a href="#record-${name}">${name}</a>`
}

/** Record names inside a type text become links; they are the only words that start with a capital and go on in lower case. */
function linked(type: string): string {
  return escapeMarkup(type).replace(/\b[A-Z][a-z]\w+\b/g, recordLink)
}
