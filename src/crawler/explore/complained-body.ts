/** A body in JSON that is built from what answers complain of: fields, or a list. */
export type ProbeBody = Readonly<Record<string, unknown>> | readonly unknown[]

/** What an answer says of a field. */
interface Complaint {
  readonly field: string
  readonly text: string
}

/** The text of a field that nothing is known for. */
export const MADE_UP = 'vigil'

/** Complaints read in one answer, steps into it, and characters of one. */
const MOST = 40
const DEPTH = 6
const MOST_LETTERS = 600

/** Words by which a text complains of a value. */
const COMPLAINS =
  /\b(?:required|missing|must|should|expected|invalid|valid|blank|empty|null|undefined|allow(?:ed)?)\b/i
/** Properties that name the field of the message beside them, and those that hold the message. */
const FIELD_NAMES = ['field', 'param', 'property', 'path', 'loc', 'propertyPath', 'attribute', 'pointer']
const MESSAGE_NAMES = [
  'message',
  'msg',
  'defaultMessage',
  'detail',
  'reason',
  'error',
  'description',
  'title',
]
/** Properties of answers that are no fields of what was sent. */
const PLAIN =
  /^(?:errors?|details?|messages?|data|status|statusCode|code|type|name|title|path|body|non_field_errors)$/i
/** Those of them that a text names as fields nevertheless. */
const NAMED = /^(?:name|title|type|code|status|path|data)$/
const WHOLE = 'body'
const IDENTIFIER = /^[A-Za-z_][\w-]{0,60}$/

/**
 * A body with the fields that an answer says are wanted, with values of the type that it names.
 *
 * @param answer text of an answer with status 400 or 422
 * @param textFor a text for a field
 * @returns null where the answer names nothing that would make another body
 */
export function bodyAfter(
  body: ProbeBody,
  answer: string,
  textFor: (field: string) => string,
): ProbeBody | null {
  let read: unknown
  try {
    read = JSON.parse(answer)
  } catch {
    // Cut off, or not JSON.
    return null
  }
  const next: Record<string, unknown> = { ...body }
  const complaints = complaintsIn(read, '', 0).slice(0, MOST)
  if (complaints.some((complaint) => wantsList(complaint, textFor))) return Array.isArray(body) ? null : []
  for (const { field, text } of complaints.filter((each) => each.field !== WHOLE)) {
    if (/\b(?:additional|unknown|unrecogni[sz]ed|unexpected|not allowed)\b/i.test(text)) delete next[field]
    else next[field] = valueFor(field, text, textFor)
  }
  if (/\bforeign key\b/i.test(answer))
    for (const field of Object.keys(next)) if (next[field] === MADE_UP) delete next[field]
  for (const field of takenIn(answer, body)) next[field] = `vigil_${Date.now().toString(36)}`
  return JSON.stringify(next) === JSON.stringify(body) ? null : next
}

/**
 * Whether the whole body is to be a list: what is called the body is all of it. A body for many records at once that has
 * none of its alternatives, such as keys or a query, may be one as well, and an empty one changes nothing.
 */
function wantsList({ field, text }: Complaint, textFor: (field: string) => string): boolean {
  if (field === 'value') return /\bat least one of\b/i.test(text)
  return field === WHOLE && Array.isArray(valueFor(field, text, textFor))
}

/** Fields whose values an answer says are those of something else already. */
function takenIn(answer: string, body: ProbeBody): string[] {
  if (!/\balready (?:exists?|taken|used|in use)\b|\b(?:must|has to|should) be unique\b/i.test(answer))
    return []
  return Object.entries(body)
    .filter(([, value]) => typeof value === 'string' && value.length > 2 && answer.includes(value))
    .map(([name]) => name)
}

/** Complaints in a value of an answer. `name`: the property that holds it. */
function complaintsIn(value: unknown, name: string, depth: number): Complaint[] {
  if (depth > DEPTH) return []
  if (typeof value === 'string') return complaintsOf(value.slice(0, MOST_LETTERS), name)
  if (Array.isArray(value)) return value.slice(0, MOST).flatMap((each) => complaintsIn(each, name, depth + 1))
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const field = entries.find(([key, each]) => FIELD_NAMES.includes(key) && fieldOf(each) !== null)
  const texts = entries.filter(([key, each]) => MESSAGE_NAMES.includes(key) && typeof each === 'string')
  if (field !== undefined && texts.length > 0)
    return [{ field: fieldOf(field[1])!, text: entries.map(([, each]) => String(each)).join(' ') }]
  return entries.slice(0, MOST).flatMap(([key, each]) => complaintsIn(each, key, depth + 1))
}

/** Complaints in a text: of the property that holds it, of names in quotes, or of the word that it begins with. */
function complaintsOf(text: string, name: string): Complaint[] {
  if (!COMPLAINS.test(text)) return []
  // What was sent may be quoted after the complaint.
  const said = text.replace(/\bYou (?:sent|provided)\b.*$/s, '')
  const quoted = [...said.matchAll(/["'`“‘]\/?([A-Za-z_][\w-]{0,60})["'`”’]/g)].map((match) => match[1]!)
  const first = /^([A-Za-z_][\w-]{0,60}) (?:must|should|is|has|cannot|can't)\b/.exec(said)?.[1]
  // What is called a reason may be one, and name a field.
  const isOfField = quoted.length === 0 || !MESSAGE_NAMES.includes(name)
  if (IDENTIFIER.test(name) && !PLAIN.test(name) && isOfField) return [{ field: name, text }]
  const field = quoted.find((each) => !PLAIN.test(each) || NAMED.test(each)) ?? first
  return field === undefined ? [] : [{ field, text: said }]
}

/** The last name of a path to a field: `["body", "name"]`, `/data/name`, `address.city`. */
function fieldOf(value: unknown): string | null {
  const last = (Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[./]/) : []).at(-1)
  return typeof last === 'string' && IDENTIFIER.test(last) ? last : null
}

/** A value of the type that a complaint names. A switch is off: what it turns on may keep everybody out. */
function valueFor(field: string, text: string, textFor: (field: string) => string): unknown {
  const said = text.replaceAll(`"${field}"`, '').replaceAll(`\`${field}\``, '')
  if (/\bbool(?:ean)?\b/i.test(said)) return false
  if (/\b(?:array|list)\b/i.test(said.replace(/\blist of (?:allowed|errors)\b/i, ''))) return []
  if (/\b(?:object|dict(?:ionary)?|map)\b/i.test(said)) return {}
  if (/\b(?:int(?:eger)?|number(?:ed)?|numeric|float|decimal)\b/i.test(said)) {
    const known = textFor(field)
    return /^\d{1,15}$/.test(known) ? Number(known) : 1
  }
  const allowed = /\b(?:one of|allowed values|choices)\b[^"'`[:]{0,40}[:[]?\s*["'`]?([\w-]{1,60})/i.exec(
    said,
  )?.[1]
  if (allowed !== undefined) return allowed
  if (/\be-?mail\b/i.test(`${field} ${said}`)) return 'vigil@example.com'
  if (/\b(?:date|time|iso ?8601)\b/i.test(said)) return new Date().toISOString()
  if (/\b(?:url|uri)\b/i.test(`${field} ${said}`)) return 'https://example.com/vigil'
  return textFor(field)
}
