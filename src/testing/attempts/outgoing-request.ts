import { randomBytes } from 'node:crypto'
import { cleanHeaderPart } from '../../http/index.ts'
import type { OutgoingRequest } from '../../http/sender/index.ts'
import { bytesText } from './body-forms/body-form.ts'
import { formOf } from './body-forms/form-of.ts'
import { boundaryOf, withFiles } from './body-forms/multipart-body.ts'
import { draftHeader, setHeader } from './header-edits.ts'
import { readTree } from './json-tree.ts'
import type { RequestDraft } from './request-draft.ts'

/** Headers that follow from the body and the connection, never from a draft. */
const MADE_BY_SENDER = new Set(['content-length', 'accept-encoding', 'transfer-encoding'])
const NO_BODY = new Set(['GET', 'HEAD'])

/**
 * The request of a draft. GET and HEAD carry no body, and no media type of one that was left out: some servers refuse to
 * read an empty one. A body that was not edited is sent as recorded, to the byte; an
 * edited one in the form that the content type of the draft names: form and multipart encoded, XML put back into the
 * recorded document, anything else as text.
 */
export function outgoingRequest(draft: RequestDraft): OutgoingRequest {
  const copy = { ...draft }
  const body = NO_BODY.has(draft.method) ? null : bodyOfDraft(copy)
  const { text, contentType } = draft.body.recorded
  const isBodyLeftOut = NO_BODY.has(draft.method) && text !== '' && draft.files.length === 0
  const headers: string[] = []
  for (const { name, value } of copy.headers) {
    if (isBodyLeftOut && name.toLowerCase() === 'content-type' && value === contentType) continue
    if (!MADE_BY_SENDER.has(name.toLowerCase()) && name !== '' && !/\s/.test(name))
      headers.push(cleanHeaderPart(name), cleanHeaderPart(value))
  }
  const query = copy.query === '' ? '' : `?${copy.query}`
  return { method: draft.method, url: sendableUrl(`${copy.url}${query}`), headers, body }
}

/** Latin-1 bytes of the body; sets the content type where the draft has none that fits. */
function bodyOfDraft(draft: RequestDraft): Uint8Array | null {
  if (draft.files.length > 0) return withAttachedFiles(draft)
  const { text, recorded } = draft.body
  const contentType = draftHeader(draft, 'content-type')
  const isUntouched = text === recorded.jsonForm && (contentType ?? '') === recorded.contentType
  if (isUntouched)
    return recorded.text === '' ? null : Buffer.from(recorded.text, recorded.isBase64 ? 'base64' : 'utf8')
  if (text === '') return null
  if (contentType === undefined && /^\s*[{[]/.test(text)) setHeader(draft, 'content-type', 'application/json')
  return Buffer.from(encodedBody(draft, contentType ?? ''), 'latin1')
}

function encodedBody(draft: RequestDraft, contentType: string): string {
  const { text, recorded } = draft.body
  const form = formOf(contentType)
  const tree = form === null ? undefined : readTree(text)
  if (form === null || !(tree instanceof Map)) return bytesText(text)
  const isSameForm = formOf(recorded.contentType) === form
  const before = isSameForm
    ? Buffer.from(recorded.text, recorded.isBase64 ? 'base64' : 'utf8').toString('latin1')
    : ''
  return form.write(before, contentType, tree)
}

/** Files go behind the fields of a multipart body; any other body gives way to them. */
function withAttachedFiles(draft: RequestDraft): Uint8Array {
  const contentType = draftHeader(draft, 'content-type') ?? ''
  const isMultipart = /^\s*multipart\/form-data/i.test(contentType)
  const boundary = isMultipart ? boundaryOf(contentType) : null
  if (boundary !== null)
    return Buffer.from(withFiles(encodedBody(draft, contentType), boundary, draft.files), 'latin1')
  const fresh = `vigil-${randomBytes(12).toString('hex')}`
  setHeader(draft, 'content-type', `multipart/form-data; boundary=${fresh}`)
  return Buffer.from(withFiles('', fresh, draft.files), 'latin1')
}

/** A URL of allowed characters only; a percent sign may need encoding itself. */
const PLAIN_URL = /^[\x21\x24\x26-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*$/

/** Percent-encodes what a URL must not contain (RFC 3986 section 2); what is encoded already stays as it is. */
export function sendableUrl(url: string): string {
  if (PLAIN_URL.test(url)) return url
  return url
    .toWellFormed()
    .replace(/%(?![0-9a-fA-F]{2})/g, '%25')
    .replace(/[^\x21-\x7e]|["<>\\^`{|}#]/gu, (character) => encodeURIComponent(character))
}
