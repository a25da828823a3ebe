/**
 * Search of tests and filters by the words that an engineer types. Runs in the browser and on the server, so that
 * every list finds the same.
 */

/** What a search looks at. */
export interface Searchable {
  readonly id: string
  readonly name: string
  /** Names of its category. */
  readonly category: readonly string[]
  /** CWE ids, clauses of standards such as WSTG, and tags such as the OWASP risk. */
  readonly references: readonly string[]
}

/**
 * Common synonyms: who types a term on the left also finds what holds a phrase on the right. Abbreviations that the
 * names of the library spell out themselves, such as SSRF, need no row.
 */
const SYNONYMS: readonly (readonly [terms: readonly string[], phrases: readonly string[]])[] = [
  [
    ['idor', 'insecure direct object reference'],
    ['bola', 'cwe 639'],
  ],
  [
    ['privilege escalation', 'broken access control'],
    ['bfla', 'bola', 'authorization bypass', 'mass assignment'],
  ],
  [
    ['bopla', 'autobinding', 'overposting'],
    ['mass assignment', 'data exposure'],
  ],
  [
    ['brute force', 'bruteforce', 'rate limit', 'rate limiting', 'lockout', 'password guessing'],
    ['cwe 307', 'rate limiting'],
  ],
  [
    ['rce', 'remote code execution', 'code execution', 'code injection'],
    [
      'command injection',
      'template injection',
      'code injection',
      'deserialization',
      'log4shell',
      'shellshock',
      'web shell',
    ],
  ],
  [
    ['shell injection', 'cmdi', 'command execution'],
    ['os command injection', 'shellshock'],
  ],
  [
    ['xxe', 'xml injection', 'billion laughs'],
    ['xml external entity', 'cwe 611'],
  ],
  [['ssti', 'template injection'], ['server side template injection']],
  [
    [
      'lfi',
      'local file inclusion',
      'directory traversal',
      'dot dot slash',
      'zip slip',
      'arbitrary file read',
    ],
    ['path traversal', 'local file'],
  ],
  [['rfi'], ['remote file inclusion']],
  [['sqli', 'sql'], ['sql injection']],
  [['nosqli', 'mongodb'], ['nosql injection']],
  [['xss', 'script injection', 'html injection'], ['cross site scripting']],
  [
    ['csrf', 'xsrf', 'session riding'],
    ['cross site request forgery', 'cwe 352'],
  ],
  [
    ['ssrf', 'imds', 'instance metadata'],
    ['server side request forgery', 'cloud metadata'],
  ],
  [['xst'], ['cross site tracing']],
  [
    ['open redirection', 'unvalidated redirect', 'url redirection'],
    ['open redirect', 'cwe 601'],
  ],
  [['response splitting', 'http splitting'], ['crlf']],
  [['verb tampering'], ['method override', 'trace']],
  [['jwt', 'json web token', 'token forgery', 'key confusion'], ['jwt']],
  [
    ['auth bypass', 'authentication bypass', 'broken authentication', 'unauthenticated'],
    ['missing authentication', 'without authentication', 'authentication bypass', 'jwt'],
  ],
  [['username enumeration', 'account enumeration'], ['user enumeration']],
  [
    ['account takeover', 'ato'],
    [
      'password reset poisoning',
      'session fixation',
      'credential stuffing',
      'brute force',
      'account takeover',
    ],
  ],
  [['default password', 'default login', 'weak password'], ['default credentials']],
  [
    ['dos', 'denial of service', 'resource exhaustion'],
    ['denial of service', 'resource consumption', 'overloading', 'batching'],
  ],
  [['redos', 'catastrophic backtracking', 'slow regex'], ['regular expression denial of service']],
  [
    ['information disclosure', 'information leak', 'data leak', 'sensitive data', 'pii'],
    ['data exposure', 'secret exposure', 'sensitive data', 'disclosure', 'secret in response', 'exposed'],
  ],
  [
    ['hardcoded secret', 'api key', 'leaked credential'],
    ['secret exposure', 'secret in response', 'credential in'],
  ],
  [['clickjacking', 'framing', 'csp', 'x frame options'], ['content security policy']],
  [
    ['security headers', 'missing header'],
    [
      'content security policy',
      'strict transport security',
      'nosniff',
      'x content type options',
      'referrer policy',
    ],
  ],
  [['hsts', 'ssl stripping'], ['strict transport security']],
  [['mime sniffing', 'nosniff'], ['x content type options']],
  [
    ['cache poisoning', 'web cache'],
    ['web cache deception', 'cacheable'],
  ],
  [['host header'], ['host header injection']],
  [['shadow api', 'zombie api', 'old version'], ['improper inventory management']],
  [
    ['business logic', 'price tampering', 'parameter tampering'],
    ['price manipulation', 'quantity', 'mass assignment', 'date in the past'],
  ],
  [
    ['forceful browsing', 'directory brute force', 'fuzzing', 'dirbusting'],
    ['forced browsing', 'sensitive file probe'],
  ],
  [
    ['hidden file', 'sensitive file', 'backup file'],
    ['exposed', 'sensitive file probe'],
  ],
  [['log4j'], ['log4shell']],
  [['smuggling', 'desync'], ['request smuggling']],
]

/** Lower case, with one space between words and around the whole, so that a phrase can be found at a word's start. */
function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** The phrases of which a text must contain one for `words` to be found in it. */
function alternatives(words: string): readonly string[] {
  const found = SYNONYMS.filter(([terms]) => terms.some((term) => isTyped(term, words)))
  return [words, ...found.flatMap(([, phrases]) => phrases)]
}

/** Whether `words` are the term, or enough of its beginning to mean it. */
function isTyped(term: string, words: string): boolean {
  return term === words || (words.length >= 4 && term.startsWith(words))
}

/** Whether a text holds the phrase from a word's start on; a number at its end must be whole: CWE-79 is not CWE-798. */
function holds(text: string, phrase: string): boolean {
  return text.includes(/\d$/.test(phrase) ? ` ${phrase} ` : ` ${phrase}`)
}

/**
 * Whether a test or filter is what somebody searches for: its id, name, category, CWE or other reference holds the
 * text or a synonym of it, or does so for every single word of it. Blank text finds everything.
 */
export function matchesSearch(item: Searchable, search: string): boolean {
  if (plain(search).trim() === '') return true
  const text = [item.id, item.name, ...item.category, ...item.references].map(plain).join('|')
  const isFound = (words: string): boolean =>
    alternatives(plain(words).trim()).some((phrase) => holds(text, phrase))
  return isFound(search) || search.trim().split(/\s+/).every(isFound)
}
