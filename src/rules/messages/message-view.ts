import {
  absoluteUrl,
  type Exchange,
  type HeaderList,
  headerValue,
  isAbsoluteTarget,
} from '../../http/index.ts'
import { formDecoded } from '../../kit/index.ts'
import { BodyView } from './body-view.ts'
import { textOf } from './leaves.ts'
import { headersText, type NamedValues, namedHeaders, namedParameters } from './names.ts'

/** A name with its values, as conditions see headers. */
export interface HeaderView {
  /** In lower case. */
  readonly name: string
  readonly values: readonly string[]
}

/** A decoded pair of a query string. */
export interface QueryPair {
  readonly name: string
  readonly value: string
}

/** An exchange as conditions see it. Parts are derived once, when they are asked for. */
export class MessageView {
  readonly exchange: Exchange
  #url: string | null = null
  #requestHeaders: readonly HeaderView[] | null = null
  #responseHeaders: readonly HeaderView[] | null = null
  #requestBody: BodyView | null = null
  #responseBody: BodyView | null = null
  #query: readonly QueryPair[] | null = null
  #cookies: readonly QueryPair[] | null = null
  #namedQuery: NamedValues | null = null
  #namedRequestHeaders: NamedValues | null = null
  #namedResponseHeaders: NamedValues | null = null
  #sentValues: ReadonlySet<string> | null = null
  #requestHeadersText: string | null = null
  #responseHeadersText: string | null = null

  constructor(exchange: Exchange) {
    this.exchange = exchange
  }

  get method(): string {
    return this.exchange.request.method
  }

  get status(): number {
    return this.exchange.response.status
  }

  /** Absolute, without the query string. */
  get url(): string {
    if (this.#url === null) {
      const { target } = this.exchange.request
      const whole = isAbsoluteTarget(target) ? target : (absoluteUrl(this.exchange.request) ?? target)
      const cut = whole.search(/[?#]/)
      this.#url = cut < 0 ? whole : whole.slice(0, cut)
    }
    return this.#url
  }

  /** As recorded, without the question mark; null when there is none. */
  get rawQuery(): string | null {
    const { target } = this.exchange.request
    const at = target.indexOf('?')
    if (at < 0) return null
    const hash = target.indexOf('#', at)
    return hash < 0 ? target.slice(at + 1) : target.slice(at + 1, hash)
  }

  /** Decoded pairs in order; parts without an equals sign have an empty value. */
  get query(): readonly QueryPair[] {
    this.#query ??= (this.rawQuery ?? '')
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const equals = part.indexOf('=')
        return equals < 0
          ? { name: formDecoded(part), value: '' }
          : { name: formDecoded(part.slice(0, equals)), value: formDecoded(part.slice(equals + 1)) }
      })
    return this.#query
  }

  get requestHeaders(): readonly HeaderView[] {
    this.#requestHeaders ??= grouped(this.exchange.request.headers)
    return this.#requestHeaders
  }

  get responseHeaders(): readonly HeaderView[] {
    this.#responseHeaders ??= grouped(this.exchange.response.headers)
    return this.#responseHeaders
  }

  /** Cookies of the request's cookie header. */
  get cookies(): readonly QueryPair[] {
    this.#cookies ??= (headerValue(this.exchange.request.headers, 'cookie') ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.includes('='))
      .map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1) }))
    return this.#cookies
  }

  /** All request headers as the text of a JSON object. */
  get requestHeadersText(): string {
    this.#requestHeadersText ??= headersText(this.requestHeaders)
    return this.#requestHeadersText
  }

  /** All response headers as the text of a JSON object. */
  get responseHeadersText(): string {
    this.#responseHeadersText ??= headersText(this.responseHeaders)
    return this.#responseHeadersText
  }

  get namedRequestHeaders(): NamedValues {
    this.#namedRequestHeaders ??= namedHeaders(this.requestHeaders, this.cookies)
    return this.#namedRequestHeaders
  }

  get namedResponseHeaders(): NamedValues {
    this.#namedResponseHeaders ??= namedHeaders(this.responseHeaders, this.cookies)
    return this.#namedResponseHeaders
  }

  get namedQuery(): NamedValues {
    this.#namedQuery ??= namedParameters(this.query)
    return this.#namedQuery
  }

  get requestBody(): BodyView {
    this.#requestBody ??= bodyViewOf(this.exchange.request)
    return this.#requestBody
  }

  /** Values of query and body of the request, as texts. */
  get sentValues(): ReadonlySet<string> {
    this.#sentValues ??= new Set([
      ...this.query.map(({ value }) => value),
      ...this.requestBody.leaves.map(({ value }) => textOf(value)),
    ])
    return this.#sentValues
  }

  get responseBody(): BodyView {
    this.#responseBody ??= bodyViewOf(this.exchange.response)
    return this.#responseBody
  }
}

function bodyViewOf(message: { body: string; bodyIsBase64?: boolean; headers: HeaderList }): BodyView {
  return new BodyView(
    message,
    headerValue(message.headers, 'content-type') ?? '',
    headerValue(message.headers, 'content-encoding') ?? '',
  )
}

function grouped(headers: HeaderList): HeaderView[] {
  const byName = new Map<string, string[]>()
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase()
    const values = byName.get(name)
    if (values === undefined) byName.set(name, [headers[i + 1]!])
    else values.push(headers[i + 1]!)
  }
  return Array.from(byName, ([name, values]) => ({ name, values }))
}
