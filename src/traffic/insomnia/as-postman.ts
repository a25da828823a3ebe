import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, own } from '../untrusted-value.ts'

/** `{{ _.name }}` and `{{ name }}`, the references of Insomnia. */
const REFERENCE = /\{\{\s{0,20}(?:_\.)?([^{}\s|]{1,200})\s{0,20}\}\}/g

const MAX_DEPTH = 8
const MAX_VARIABLES = 5000

/** A text with the references of Insomnia written as Postman writes them. */
function text(value: unknown): string {
  return asText(value).replace(REFERENCE, '{{$1}}')
}

/** A request of an Insomnia export as an item of a Postman collection, whose reader does the rest. */
export function postmanItem(request: OutsideObject): OutsideObject {
  return {
    name: asText(own(request, 'name')),
    request: {
      method: asText(own(request, 'method')) || 'GET',
      url: urlOf(request),
      header: pairs(own(request, 'headers')),
      body: bodyOf(asObject(own(request, 'body'))),
      auth: postmanAuth(asObject(own(request, 'authentication'))),
      description: asText(own(request, 'description')),
    },
  }
}

/** Variables of an environment as a `variable` list; what is nested is named with dots, as references do. */
export function postmanVariables(environment: OutsideObject | undefined): { key: string; value: string }[] {
  const variables: { key: string; value: string }[] = []
  const visit = (node: unknown, name: string, depth: number): void => {
    const object = asObject(node)
    if (object === undefined) variables.push({ key: name, value: text(scalar(node)) })
    else if (depth < MAX_DEPTH)
      for (const [key, value] of Object.entries(object))
        if (variables.length < MAX_VARIABLES) visit(value, name === '' ? key : `${name}.${key}`, depth + 1)
  }
  visit(environment ?? {}, '', 0)
  return variables
}

/** The `authentication` of a request or folder as an `auth` object; undefined where it says nothing. */
export function postmanAuth(auth: OutsideObject | undefined): OutsideObject | undefined {
  const type = asText(own(auth, 'type'))
  if (auth === undefined || type === '' || own(auth, 'disabled') === true) return undefined
  const given = (name: string): string => text(own(auth, name))
  switch (type) {
    case 'none':
      return { type: 'noauth' }
    case 'bearer':
      return { type, bearer: { token: given('token') } }
    case 'basic':
      return { type, basic: { username: given('username'), password: given('password') } }
    case 'apikey': {
      const place = asText(own(auth, 'addTo')) === 'queryParams' ? 'query' : 'header'
      return { type, apikey: { key: given('key'), value: given('value'), in: place } }
    }
    case 'oauth2':
      return { type, oauth2: { accessToken: given('accessToken'), headerPrefix: given('tokenPrefix') } }
    default:
      return { type }
  }
}

/** The address with its query parameters, which Insomnia keeps apart. */
function urlOf(request: OutsideObject): string {
  const url = text(own(request, 'url'))
  const query = pairs(own(request, 'parameters')).filter(({ disabled }) => !disabled)
  if (query.length === 0) return url
  const added = query.map(({ key, value }) => `${encoded(key)}=${encoded(value)}`).join('&')
  return `${url}${url.includes('?') ? '&' : '?'}${added}`
}

/** Percent encoding that leaves references as they are. */
function encoded(value: string): string {
  return value
    .split(/(\{\{[^{}]{1,200}\}\})/)
    .map((part) => (part.startsWith('{{') ? part : encodeURIComponent(part.toWellFormed())))
    .join('')
}

function bodyOf(body: OutsideObject | undefined): OutsideObject | undefined {
  const type = asText(own(body, 'mimeType'))
  if (body === undefined) return undefined
  const fields = pairs(own(body, 'params'))
  if (type === 'application/x-www-form-urlencoded') return { mode: 'urlencoded', urlencoded: fields }
  if (type === 'multipart/form-data') return { mode: 'formdata', formdata: fields }
  const raw = text(own(body, 'text'))
  if (type === 'application/graphql') return { mode: 'raw', raw, options: { raw: { language: 'json' } } }
  return raw === '' ? undefined : { mode: 'raw', raw, options: { raw: { language: languageOf(type) } } }
}

function languageOf(type: string): string {
  if (/\bjson\b/.test(type)) return 'json'
  return /\bxml\b/.test(type) ? 'xml' : ''
}

interface Pair {
  readonly key: string
  readonly value: string
  readonly disabled: boolean
  readonly type?: string
}

function pairs(list: unknown): Pair[] {
  return asList(list).flatMap((one) => {
    const pair = asObject(one)
    const key = text(own(pair, 'name'))
    if (key === '') return []
    const isFile = asText(own(pair, 'type')) === 'file'
    const disabled = own(pair, 'disabled') === true
    return [{ key, value: text(own(pair, 'value')), disabled, ...(isFile ? { type: 'file' } : {}) }]
  })
}

function scalar(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : asText(value)
}
