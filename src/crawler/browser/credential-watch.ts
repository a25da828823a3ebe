import { headerValue } from '../../http/index.ts'
import type { CapturedExchange } from './capture.ts'

/** Headers by which scripts prove who they act for, and that they come from the site itself. */
const NAMES = [
  'authorization',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-csrftoken',
  'csrf-token',
]

/** Remembers the last credentials that scripts sent in headers and that were accepted. */
export class CredentialWatch {
  #headers: Record<string, string> = {}

  begin(headers: Readonly<Record<string, string>>): void {
    this.#headers = { ...headers }
  }

  get headers(): Readonly<Record<string, string>> {
    return { ...this.#headers }
  }

  note({ kind, outcome, url, pageUrl, exchange }: CapturedExchange): void {
    if ((kind !== 'XHR' && kind !== 'Fetch') || outcome !== 'answered' || exchange.response.status >= 400)
      return
    // What goes to somebody else is not ours to repeat.
    if (!URL.canParse(pageUrl) || new URL(url).hostname !== new URL(pageUrl).hostname) return
    for (const name of NAMES) {
      const value = headerValue(exchange.request.headers, name)
      if (value !== undefined && value !== '') this.#headers[name] = value
    }
  }
}
