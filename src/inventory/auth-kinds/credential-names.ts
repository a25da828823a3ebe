/**
 * Names of headers, cookies and parameters, and what they say about credentials. All names are given in lower case.
 */

/** Request headers that never carry a credential; their values are not looked at. */
const ORDINARY_HEADERS = new Set(
  (
    'host connection content-length content-type content-encoding accept accept-encoding accept-language accept-charset ' +
    'user-agent referer origin cache-control pragma date via te trailer upgrade upgrade-insecure-requests range dnt ' +
    'if-none-match if-modified-since if-match if-unmodified-since if-range expect from priority max-forwards keep-alive ' +
    'transfer-encoding cookie proxy-connection proxy-authorization x-requested-with x-forwarded-for x-forwarded-proto ' +
    'x-forwarded-host x-forwarded-port x-forwarded-server x-real-ip x-request-id x-correlation-id x-trace-id x-b3-traceid ' +
    'x-b3-spanid x-b3-parentspanid x-b3-sampled x-envoy-attempt-count traceparent tracestate baggage x-amzn-trace-id ' +
    'x-cloud-trace-context x-csrf-token x-xsrf-token csrf-token x-csrftoken sec-websocket-key sec-websocket-version ' +
    'sec-websocket-extensions sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-site sec-fetch-mode sec-fetch-dest ' +
    'sec-fetch-user sec-gpc :method :path :scheme :authority'
  ).split(' '),
)

/** True unless the header is one of the well-known ones without a credential. */
export function mayCarryCredential(header: string): boolean {
  return !ORDINARY_HEADERS.has(header) && !header.startsWith('sec-ch-') && !header.startsWith('sec-fetch-')
}

/** The headers whose purpose is authorization; `proxy-authorization` is meant for a proxy, not for the API. */
export function isAuthorizationHeader(header: string): boolean {
  return (
    header === 'authorization' ||
    header === 'auth' ||
    header === 'x-authorization' ||
    header === 'x-forwarded-authorization'
  )
}

/** Cookies of statistics, consent, language, load balancers and forgery protection: no credentials. */
const ORDINARY_COOKIE =
  /^(?:_ga|_gid|_gat|_gcl|_fb|__utm|_hj|_pk_|_uet|_clck|_clsk|__cf|cf_(?!authorization$|appsession$)|_dd_s|ajs_|amplitude|amp_|mp_|optanon|cookie|euconsent|gdpr|consent|intercom-|hubspot|__hs|_scid|_tt_|awsalb|incap_|visid_|nlbi_|bigip|ai_|ak_|bm_|_abck|lang|locale|i18n|theme|currency|country|timezone|tz$|pref|welcome|banner|csrf|xsrf|_csrf|__requestverification|antiforgery|dnt$|ab_|exp_|experiment|referrer|utm_|first_visit|visitor|guest_id|device)|(?:consent|_lang|language|locale|csrf|xsrf|csrftoken|banner|_status)$/

/** True for a cookie whose name says that it proves nothing about the caller. */
export function isOrdinaryCookie(name: string): boolean {
  return ORDINARY_COOKIE.test(name)
}

/** The name without `-`, `_` and `.`, for comparison. */
export function squeezed(name: string): string {
  return name.replace(/[-_.]/g, '')
}

/** What programs send where a credential should stand when they have none. */
const NOTHING = /^(?:null|undefined|\(null\)|nil|none|nan|false|\[object object\])?$/i

/** True for a value that is not a credential whatever its place: empty, or the text of a variable without a value. */
export function isNoCredential(value: string): boolean {
  return value.length <= 15 && NOTHING.test(value.trim())
}

/** True for a parameter of a query or body that holds something. */
export function isSent(value: unknown): boolean {
  if (typeof value === 'string') return !isNoCredential(value)
  return typeof value === 'number' || (Array.isArray(value) && value.some(isSent))
}

/** A value that can hold 64 bits of chance: long enough for its alphabet and not one character over and over. */
export function isUnguessable(value: string): boolean {
  const isDecimal = /^\d+$/.test(value)
  if (value.length < (isDecimal ? 20 : 12)) return false
  let distinct = 0
  for (let i = 0; i < value.length && i < 64 && distinct < 6; i++) {
    if (value.indexOf(value[i]!) === i) distinct++
  }
  return distinct >= 6
}
