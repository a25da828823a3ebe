import type { RequestMessage } from './exchange.ts'
import { headerValue } from './exchange.ts'
import { cleanHeaderPart } from './header-text.ts'
import { isMethodToken } from './method.ts'
import { absoluteUrl, requestAuthority } from './raw-http-write.ts'
import { quoteShellWord } from './shell-words.ts'

/**
 * A curl command that sends the same request, quoted for the POSIX shell, one option a line. Pseudo-headers,
 * Content-Length and a Host that equals the URL's are left to curl. A binary body is piped in from base64.
 */
export function writeCurl(request: RequestMessage): string {
  const url = absoluteUrl(request)
  const lines = [`curl ${quoteShellWord(url)}`]
  const hasBody = request.body !== ''
  if (request.method === 'HEAD' && !hasBody) lines.push('--head')
  else if (request.method !== (hasBody ? 'POST' : 'GET') && isMethodToken(request.method)) {
    lines.push(`-X ${quoteShellWord(request.method)}`)
  }
  // Without these curl would read [a-b] and {a,b} as patterns, and remove dot segments.
  if (/[[\]{}]/.test(url)) lines.push('--globoff')
  if (/\/\.\.?(?:[/?#]|$)/.test(url)) lines.push('--path-as-is')
  lines.push(...headerOptions(request, hasBody))
  if (headerValue(request.headers, 'accept-encoding') !== undefined) lines.push('--compressed')
  let pipe = ''
  if (request.bodyIsBase64) {
    lines.push('--data-binary @-')
    pipe = `printf %s ${quoteShellWord(request.body)} | base64 -d | `
  } else if (hasBody) lines.push(`--data-raw ${quoteShellWord(request.body)}`)
  return pipe + lines.join(' \\\n  ')
}

function headerOptions(request: RequestMessage, hasBody: boolean): string[] {
  const options: string[] = []
  const authority = requestAuthority(request)
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    const name = request.headers[i]!
    const key = name.toLowerCase()
    const value = cleanHeaderPart(request.headers[i + 1]!)
    // Only tokens are header names (RFC 9110 section 5.6.2); this also keeps "@file", which curl would read.
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) || key === 'content-length') continue
    if (key === 'host' && value === authority) continue
    options.push(`-H ${quoteShellWord(value === '' ? `${name};` : `${name}: ${value}`)}`)
  }
  if (hasBody && headerValue(request.headers, 'content-type') === undefined)
    options.push("-H 'Content-Type:'")
  return options
}
