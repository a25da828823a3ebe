import { multipartBody } from '../../http/index.ts'
import { MAX_BODY } from '../import-entry.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, own } from '../untrusted-value.ts'

/** The body of a request with the content type that Postman would send with it; '' when it adds none. */
interface PostmanBody {
  readonly text: string
  readonly mediaType: string
}

const NO_BODY: PostmanBody = { text: '', mediaType: '' }

const LANGUAGES = new Map([
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['html', 'text/html'],
  ['javascript', 'application/javascript'],
  ['text', 'text/plain'],
])

/**
 * Reads a `body` of any mode. Files are never read: their content stays empty, with a note.
 * @param fill puts variables in place
 */
export function readPostmanBody(node: unknown, fill: (text: string) => string, notes: string[]): PostmanBody {
  const body = asObject(node)
  if (body === undefined || own(body, 'disabled') === true) return NO_BODY
  const mode = asText(own(body, 'mode'))
  const content = own(body, mode)
  const read = readMode(mode, content, body, fill, notes)
  if (read.text.length <= MAX_BODY) return read
  notes.push(`the request body of ${read.text.length} characters is left out, the limit is ${MAX_BODY}`)
  return { ...read, text: '' }
}

function readMode(
  mode: string,
  content: unknown,
  body: OutsideObject,
  fill: (text: string) => string,
  notes: string[],
): PostmanBody {
  switch (mode) {
    case '':
    case 'none':
      return NO_BODY
    case 'raw': {
      const language = asText(own(asObject(own(asObject(own(body, 'options')), 'raw')), 'language'))
      return { text: fill(asText(content)), mediaType: LANGUAGES.get(language) ?? '' }
    }
    case 'urlencoded':
      return { text: formText(content, fill), mediaType: 'application/x-www-form-urlencoded' }
    case 'formdata':
      return formData(content, fill, notes)
    case 'graphql':
      return graphql(asObject(content), fill)
    case 'file': {
      const text = asText(own(asObject(content), 'content'))
      if (text === '') notes.push('a body from a file is left empty')
      return { text: fill(text), mediaType: '' }
    }
    default:
      notes.push(`the body mode "${mode.slice(0, 40)}" is not known`)
      return NO_BODY
  }
}

function enabled(content: unknown): OutsideObject[] {
  const fields = asList(content).slice(0, 10_000).map(asObject)
  return fields.filter((one) => one !== undefined).filter((one) => own(one, 'disabled') !== true)
}

function formText(content: unknown, fill: (text: string) => string): string {
  // Format 2.0 also allows the encoded text itself.
  if (typeof content === 'string') return fill(content)
  const form = new URLSearchParams()
  for (const field of enabled(content))
    form.append(fill(asText(own(field, 'key'))), fill(asText(own(field, 'value'))))
  return form.toString()
}

function formData(content: unknown, fill: (text: string) => string, notes: string[]): PostmanBody {
  const parts = enabled(content).map((field) => {
    const isFile = own(field, 'type') === 'file'
    if (isFile) notes.push('a form part from a file is left empty')
    const source = own(field, 'src')
    const path = asText(Array.isArray(source) ? source[0] : source)
    return {
      name: fill(asText(own(field, 'key'))),
      value: isFile ? '' : fill(asText(own(field, 'value'))),
      fileName: isFile
        ? path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) || 'file'
        : undefined,
      mediaType: asText(own(field, 'contentType')) || undefined,
    }
  })
  const { text, boundary } = multipartBody(parts)
  return { text, mediaType: `multipart/form-data; boundary=${boundary}` }
}

function graphql(content: OutsideObject | undefined, fill: (text: string) => string): PostmanBody {
  const given = own(content, 'variables')
  let variables: unknown = given
  if (typeof given === 'string') {
    try {
      variables = given.trim() === '' ? undefined : JSON.parse(fill(given))
    } catch {
      // Variables without value make it no JSON; the text itself is then what is known.
      variables = given
    }
  }
  const operationName = asText(own(content, 'operationName')) || undefined
  const text = JSON.stringify({ query: fill(asText(own(content, 'query'))), operationName, variables })
  return { text, mediaType: 'application/json' }
}
