import type { Exchange, RequestMessage } from '../../http/index.ts'
import { absoluteUrl, bodyBytes, headerValue } from '../../http/index.ts'
import { formOf } from './body-forms/form-of.ts'
import { writeTree } from './json-tree.ts'
import type { HeaderEntry, RecordedBody, RequestDraft } from './request-draft.ts'

/** Recorded headers that speak of one connection or of a coding already undone; they must not be sent again. */
const NOT_REPEATED = new Set([
  'connection',
  'content-encoding',
  'expect',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** The request of a sample, ready to be edited. A sample without any host gives a URL that is a path. */
export function draftOf(sample: Exchange): RequestDraft {
  const { request } = sample
  const address = absoluteUrl(request).replace(/#.*$/s, '')
  const mark = address.indexOf('?')
  const recorded = recordedBody(request)
  return {
    method: request.method,
    url: mark < 0 ? address : address.slice(0, mark),
    query: mark < 0 ? '' : address.slice(mark + 1),
    headers: headerEntries(request),
    body: { text: recorded.jsonForm, recorded },
    followRedirects: true,
    files: [],
    isMethodSet: false,
    identity: null,
  }
}

function headerEntries(request: RequestMessage): HeaderEntry[] {
  const entries: HeaderEntry[] = []
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    const name = request.headers[i]!
    if (!name.startsWith(':') && !NOT_REPEATED.has(name.toLowerCase()))
      entries.push({ name, value: request.headers[i + 1]! })
  }
  return entries
}

function recordedBody(request: RequestMessage): RecordedBody {
  const contentType = headerValue(request.headers, 'content-type') ?? ''
  const isBase64 = request.bodyIsBase64 === true
  return { text: request.body, isBase64, contentType, jsonForm: jsonFormOf(request, contentType) }
}

function jsonFormOf(request: RequestMessage, contentType: string): string {
  if (request.body === '') return ''
  const form = formOf(contentType)
  const tree = form?.read(bodyBytes(request).toString('latin1'), contentType) ?? null
  if (tree !== null) return writeTree(tree)
  return request.bodyIsBase64 === true ? '' : request.body
}
