import { type HeaderList, headerValues } from '../../../http/index.ts'

/** URLs in headers of an answer: Link (RFC 8288), Location, Content-Location, Refresh, report addresses, source maps. */
export function scanHeaders(headers: HeaderList): string[] {
  const found: string[] = []
  for (const name of ['location', 'content-location', 'sourcemap', 'x-sourcemap']) {
    found.push(...headerValues(headers, name))
  }
  for (const value of headerValues(headers, 'link')) {
    for (const match of value.slice(0, 8000).matchAll(/<([^<>]{1,1000})>/g)) found.push(match[1]!)
  }
  for (const value of headerValues(headers, 'refresh')) {
    const match = /url\s{0,5}=\s{0,5}["']?([^"'\s;]{1,1000})/i.exec(value.slice(0, 2000))
    if (match) found.push(match[1]!)
  }
  for (const name of ['content-security-policy', 'content-security-policy-report-only']) {
    for (const value of headerValues(headers, name)) {
      const match = /report-uri\s{1,10}([^\s;]{1,1000})/i.exec(value.slice(0, 8000))
      if (match) found.push(match[1]!)
    }
  }
  return found.slice(0, 100)
}
