/** What an option does to the request that is being built; options that change nothing sent are `ignore`. */
export type CurlAction =
  | 'ignore'
  | 'request'
  | 'header'
  | 'data'
  | 'dataRaw'
  | 'dataUrlencode'
  | 'json'
  | 'form'
  | 'formString'
  | 'user'
  | 'bearer'
  | 'cookie'
  | 'agent'
  | 'referer'
  | 'get'
  | 'head'
  | 'url'
  | 'compressed'
  | 'upload'
  | 'range'
  | 'http1.0'
  | 'http2'
  | 'http3'
  | 'urlQuery'
  | 'next'

export interface CurlOption {
  readonly action: CurlAction
  readonly takesValue: boolean
}

const WITH_VALUE: Record<string, CurlAction> = {
  request: 'request',
  header: 'header',
  data: 'data',
  'data-ascii': 'data',
  'data-binary': 'data',
  'data-raw': 'dataRaw',
  'data-urlencode': 'dataUrlencode',
  json: 'json',
  form: 'form',
  'form-string': 'formString',
  user: 'user',
  'oauth2-bearer': 'bearer',
  cookie: 'cookie',
  'user-agent': 'agent',
  referer: 'referer',
  url: 'url',
  'url-query': 'urlQuery',
  'upload-file': 'upload',
  range: 'range',
}

const WITHOUT_VALUE: Record<string, CurlAction> = {
  get: 'get',
  head: 'head',
  compressed: 'compressed',
  'http1.0': 'http1.0',
  http2: 'http2',
  'http2-prior-knowledge': 'http2',
  http3: 'http3',
  next: 'next',
}

/** Long options that take a value and leave the request as it is. */
const IGNORED_WITH_VALUE =
  'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to ' +
  'continue-at cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr ' +
  'dns-servers doh-url dump-header ech engine etag-compare etag-save expect100-timeout happy-eyeballs-timeout-ms ' +
  'haproxy-clientip hostpubmd5 hsts interface ip-tos ipfs-gateway keepalive-cnt keepalive-time key key-type krb ' +
  'libcurl limit-rate local-port login-options max-filesize max-redirs max-time netrc-file noproxy output ' +
  'output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-cert ' +
  'proxy-header proxy-key proxy-pass proxy-user pubkey quote rate resolve retry retry-delay retry-max-time ' +
  'sasl-authzid service-name socks4 socks4a socks5 socks5-hostname speed-limit speed-time ssl-sessions stderr ' +
  'telnet-option time-cond tls-max tls13-ciphers tlspassword tlsuser trace trace-ascii trace-config unix-socket ' +
  'variable vlan-priority write-out'

const SHORT: Record<string, string> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  b: 'cookie',
  A: 'user-agent',
  e: 'referer',
  T: 'upload-file',
  r: 'range',
  G: 'get',
  I: 'head',
  '0': 'http1.0',
  ':': 'next',
  o: 'output',
  m: 'max-time',
  x: 'proxy',
  U: 'proxy-user',
  w: 'write-out',
  c: 'cookie-jar',
  C: 'continue-at',
  D: 'dump-header',
  E: 'cert',
  K: 'config',
  P: 'ftp-port',
  Q: 'quote',
  t: 'telnet-option',
  y: 'speed-time',
  Y: 'speed-limit',
  z: 'time-cond',
  h: 'help',
}

const LONG = new Map<string, CurlOption>([
  ...Object.entries(WITH_VALUE).map(([name, action]) => [name, { action, takesValue: true }] as const),
  ...Object.entries(WITHOUT_VALUE).map(([name, action]) => [name, { action, takesValue: false }] as const),
  ...`${IGNORED_WITH_VALUE} ftp-port`
    .split(' ')
    .map((name) => [name, { action: 'ignore', takesValue: true }] as const),
])
const SHORTS = new Map(Object.entries(SHORT))
const FLAG: CurlOption = { action: 'ignore', takesValue: false }

/** The option of a long name without its dashes. Unknown ones count as switches without a value. */
export function longOption(name: string): CurlOption {
  return LONG.get(name) ?? FLAG
}

/** The option of one letter, for example `X`. */
export function shortOption(letter: string): CurlOption {
  const name = SHORTS.get(letter)
  return name === undefined ? FLAG : (LONG.get(name) ?? FLAG)
}
