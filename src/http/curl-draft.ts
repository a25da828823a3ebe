import { percentDecoded } from '../kit/index.ts'
import { bodyFromText } from './body-text.ts'
import type { CurlAction } from './curl-options.ts'
import type { RequestMessage } from './exchange.ts'
import { cleanHeaderPart, headerExcess } from './header-text.ts'
import { readMethod } from './method.ts'
import { multipartBody } from './multipart-write.ts'
import { targetProblem } from './target.ts'

type DataPart = { readonly kind: 'data' | 'json'; readonly text: string }

/** The request that the options of one command build up. */
export class CurlDraft {
  method: string | undefined
  readonly urls: string[] = []
  readonly headers: string[] = []
  readonly data: DataPart[] = []
  readonly form: { spec: string; literal: boolean }[] = []
  readonly query: string[] = []
  user: string | undefined
  get = false
  head = false
  upload = false
  version = 'HTTP/1.1'
}

type Apply = (draft: CurlDraft, value: string, notes: string[]) => unknown

const FROM_FILE = 'a body from a file is left empty'

const APPLY: Record<Exclude<CurlAction, 'next'>, Apply> = {
  ignore: () => {},
  request: (draft, value) => {
    draft.method = value
  },
  header: addHeader,
  data: (draft, value, notes) => draft.data.push({ kind: 'data', text: unlessFile(value, notes) }),
  dataRaw: (draft, value) => draft.data.push({ kind: 'data', text: value }),
  dataUrlencode: (draft, value, notes) => draft.data.push({ kind: 'data', text: urlencoded(value, notes) }),
  json: (draft, value, notes) => draft.data.push({ kind: 'json', text: unlessFile(value, notes) }),
  form: (draft, value) => draft.form.push({ spec: value, literal: false }),
  formString: (draft, value) => draft.form.push({ spec: value, literal: true }),
  urlQuery: (draft, value, notes) =>
    draft.query.push(value.startsWith('+') ? value.slice(1) : urlencoded(value, notes)),
  user: (draft, value) => {
    draft.user = value
  },
  bearer: (draft, value) => setHeader(draft, 'Authorization', `Bearer ${value}`),
  cookie: (draft, value, notes) => {
    if (value.includes('=')) setHeader(draft, 'Cookie', value)
    else notes.push('cookies from a file are left out')
  },
  agent: (draft, value) => {
    if (value !== '') setHeader(draft, 'User-Agent', value)
  },
  referer: (draft, value) => setHeader(draft, 'Referer', value.replace(/;auto$/, '')),
  get: (draft) => {
    draft.get = true
  },
  head: (draft) => {
    draft.head = true
  },
  url: (draft, value) => draft.urls.push(value),
  compressed: (draft) => setHeader(draft, 'Accept-Encoding', 'deflate, gzip, br, zstd'),
  upload: (draft, _value, notes) => {
    draft.upload = true
    notes.push(FROM_FILE)
  },
  range: (draft, value) => setHeader(draft, 'Range', `bytes=${value}`),
  'http1.0': (draft) => {
    draft.version = 'HTTP/1.0'
  },
  http2: (draft) => {
    draft.version = 'HTTP/2'
  },
  http3: (draft) => {
    draft.version = 'HTTP/3'
  },
}

/** Lets one option do its work on the draft; `notes` collects what could not be followed exactly. */
export function applyCurlOption(
  draft: CurlDraft,
  action: Exclude<CurlAction, 'next'>,
  value: string,
  notes: string[],
): void {
  APPLY[action](draft, value, notes)
}

function unlessFile(value: string, notes: string[]): string {
  if (!value.startsWith('@')) return value
  notes.push(FROM_FILE)
  return ''
}

/** `Name: value` sends it, `Name;` sends it empty, `Name:` suppresses curl's own; `@file` is not read. */
function addHeader(draft: CurlDraft, text: string, notes: string[]): void {
  if (text.startsWith('@')) {
    notes.push('headers from a file are left out')
    return
  }
  const line = cleanHeaderPart(text)
  const colon = line.indexOf(':', 1)
  if (colon > 0) draft.headers.push(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  else if (/^[^\s;]+;\s*$/.test(line)) draft.headers.push(line.replace(/;\s*$/, ''), '')
  else notes.push('a header without a colon is left out')
}

function setHeader(draft: CurlDraft, name: string, value: string): void {
  draft.headers.push(name, cleanHeaderPart(value))
}

function hasHeader(headers: readonly string[], name: string): boolean {
  return headers.some((text, i) => i % 2 === 0 && text.toLowerCase() === name)
}

/** `content`, `=content` or `name=content`, the content percent-encoded; `@file` forms stay empty. */
function urlencoded(value: string, notes: string[]): string {
  const sign = value.search(/[=@]/)
  if (sign >= 0 && value[sign] === '@') {
    notes.push(FROM_FILE)
    return sign === 0 ? '' : `${value.slice(0, sign)}=`
  }
  if (sign < 0) return encodeText(value)
  const encoded = encodeText(value.slice(sign + 1))
  return sign === 0 ? encoded : `${value.slice(0, sign)}=${encoded}`
}

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%20/g, '+')
}

/** One request of a draft, or the reason why the URL gives none. */
export function buildCurlRequest(draft: CurlDraft, rawUrl: string, notes: string[]): RequestMessage | string {
  const url = splitUrl(rawUrl)
  if (typeof url === 'string') return url
  if (/[[\]{}]/.test(rawUrl)) notes.push('a URL pattern with [] or {} is kept as text')
  const headers = [...draft.headers]
  const { text, mediaType } = bodyOf(draft, notes)
  const query = draft.get && text !== '' ? [...draft.query, text] : draft.query
  const target = query.length === 0 ? url.target : withQuery(url.target, query.join('&'))
  const sendsBody = !draft.get && mediaType !== undefined
  const method = draft.method ?? (draft.head ? 'HEAD' : draft.upload ? 'PUT' : sendsBody ? 'POST' : 'GET')
  const known = readMethod(method)
  if (known === undefined) return 'its method is not an HTTP method'
  const problem = targetProblem(target)
  if (problem !== undefined) return `its URL ${problem}`
  const user = draft.user ?? url.user
  if (user !== undefined && !hasHeader(headers, 'authorization')) {
    headers.push('Authorization', `Basic ${Buffer.from(user).toString('base64')}`)
  }
  if (sendsBody && mediaType !== '' && !hasHeader(headers, 'content-type'))
    headers.push('Content-Type', mediaType)
  if (draft.data.some((part) => part.kind === 'json') && !hasHeader(headers, 'accept')) {
    headers.push('Accept', 'application/json')
  }
  const kept = hasHeader(headers, 'host') ? [] : ['Host', url.authority]
  for (let i = 0; i < headers.length; i += 2) {
    // An empty content type was given to suppress curl's own; nothing is sent for it.
    if (headers[i]!.toLowerCase() === 'content-type' && headers[i + 1] === '') continue
    kept.push(headers[i]!, headers[i + 1]!)
  }
  const excess = headerExcess(kept)
  if (excess !== undefined) return `it ${excess}`
  const body = sendsBody ? bodyFromText(text) : { body: '' }
  return { method: known, target, version: draft.version, headers: kept, ...body }
}

function withQuery(target: string, query: string): string {
  const fragment = target.indexOf('#')
  const base = fragment < 0 ? target : target.slice(0, fragment)
  return `${base}${base.includes('?') ? '&' : '?'}${query}`
}

/** Body text with its media type; undefined media type when the command sends no body. */
function bodyOf(draft: CurlDraft, notes: string[]): { text: string; mediaType: string | undefined } {
  if (draft.form.length > 0) {
    const { text, boundary } = multipartBody(
      draft.form.map((part) => readFormPart(part.spec, part.literal, notes)),
    )
    return { text, mediaType: `multipart/form-data; boundary=${boundary}` }
  }
  if (draft.data.length === 0) return { text: '', mediaType: draft.upload ? '' : undefined }
  const isJson = draft.data.some((part) => part.kind === 'json')
  let text = ''
  for (const [i, part] of draft.data.entries()) text += (i > 0 && part.kind === 'data' ? '&' : '') + part.text
  return { text, mediaType: isJson ? 'application/json' : 'application/x-www-form-urlencoded' }
}

function readFormPart(spec: string, literal: boolean, notes: string[]) {
  const equals = spec.indexOf('=')
  const name = equals < 0 ? spec : spec.slice(0, equals)
  const rest = equals < 0 ? '' : spec.slice(equals + 1)
  if (literal) return { name, value: rest }
  const [value = '', ...attributes] = rest.split(';')
  const mediaType = attributes.find((text) => text.startsWith('type='))?.slice(5)
  const fileName = attributes.find((text) => text.startsWith('filename='))?.slice(9)
  if (!value.startsWith('@') && !value.startsWith('<')) return { name, value, mediaType, fileName }
  notes.push('a form part from a file is left empty')
  return {
    name,
    value: '',
    mediaType,
    fileName: value.startsWith('@') ? (fileName ?? value.slice(1)) : fileName,
  }
}

interface CurlUrl {
  readonly target: string
  readonly authority: string
  readonly user: string | undefined
}

/** Splits user information off; a URL without scheme is http, as for curl. */
function splitUrl(raw: string): CurlUrl | string {
  const trimmed = raw.trim()
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(trimmed)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    return `it calls ${scheme}, not http or https`
  const rest = scheme === undefined ? trimmed : trimmed.slice(scheme.length + 3)
  const end = rest.search(/[/?#]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  if (host === '' || /[\0-\x20\x7f]/.test(trimmed)) return 'its URL is not valid'
  const target = `${scheme ?? 'http'}://${host}${(end < 0 ? '/' : rest.slice(end)).toWellFormed()}`
  return { target, authority: host, user: at < 0 ? undefined : percentDecoded(authority.slice(0, at)) }
}
