import type { DataTypeDefinition } from './data-type.ts'

/** What a key name tells, for one set of definitions. */
export interface KeyFacts {
  /** Types whose words the key holds. */
  readonly named: readonly DataTypeDefinition[]
  /** The key names an order number, a hash, a time or another look-alike. */
  readonly misleading: boolean
  /** The key says nothing on its own (`value`, `number`, `0`), so its parent's name counts. */
  readonly generic: boolean
}

const MAX_KEY_LENGTH = 80
const MAX_CACHED_KEYS = 20_000

/** Words that mark a value as an identifier, count, hash or time of the program, not of a person. */
const MISLEADING_WORDS = new Set(
  (
    'order orders invoice tracking track shipment parcel sku ean upc isbn issn gtin barcode asin product item ' +
    'hash checksum digest etag md md5 sha sha1 sha256 sha512 crc fingerprint timestamp time ts epoch millis nanos ' +
    'id ids uid oid guid nonce revision rev commit build version seq sequence offset cursor trace span correlation request txn ' +
    'transaction batch job ticket case reference ref serial count total amount price quantity qty size length ' +
    'width height bytes duration latency score rank index row page limit ttl expires exp iat nbf port pid hits ' +
    'bestellung bestellnummer commande pedido ordine rechnung factura facture fattura'
  ).split(' '),
)

/** Words without their own meaning: the parent's name decides. */
const GENERIC_WORDS = new Set(
  (
    'value values val number num no nr text raw code data content item full primary main default home work mobile ' +
    'private business personal current input display formatted normalized id string $ wert valeur valor valore numero nummer'
  ).split(' '),
)

/** A key ending (or, for the second list, beginning) so speaks about the thing, it is not the thing: `passwordUpdatedAt`. */
const ABOUT_ENDINGS = new Set(
  (
    'type types format policy url uri link path enabled disabled required verified valid invalid validated confirmed ' +
    'status state strength length updated changed created at on by until since expires expiry expiration error errors ' +
    'message label hint help placeholder pattern regex description reset attempts retries provider count limit ' +
    'visible hidden field column mask masked last4 brand network scheme method mode algorithm algo'
  ).split(' '),
)
const ABOUT_BEGINNINGS = new Set(
  'is has can should must allow show enable require min max total count use send verify reset forgot'.split(
    ' ',
  ),
)

/** Splits a key name at letter case, digits and punctuation into lower-case words without diacritics. */
export function keyWords(key: string): string[] {
  const plain = isAscii(key) ? key : key.normalize('NFD').replace(/\p{M}+/gu, '')
  const words: string[] = []
  let start = 0
  let previous = NONE
  for (let i = 0; i <= plain.length; i++) {
    const kind = i === plain.length ? NONE : kindOf(plain.charCodeAt(i))
    const breaksHere =
      kind === NONE ||
      previous === NONE ||
      (kind === DIGIT_CHAR) !== (previous === DIGIT_CHAR) ||
      (kind === UPPER_CHAR && previous === LOWER_CHAR) ||
      (kind === LOWER_CHAR && previous === UPPER_CHAR && i - start > 1)
    if (breaksHere) {
      // `APIKey` breaks before the last capital letter, not after it.
      const end = kind === LOWER_CHAR && previous === UPPER_CHAR ? i - 1 : i
      if (end > start && previous !== NONE) words.push(plain.slice(start, end).toLowerCase())
      start = end
    }
    previous = kind
    if (kind === NONE) start = i + 1
  }
  return words
}

const NONE = 0
const LOWER_CHAR = 1
const UPPER_CHAR = 2
const DIGIT_CHAR = 3

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER_CHAR
  if (code >= 65 && code <= 90) return UPPER_CHAR
  if (code >= 48 && code <= 57) return DIGIT_CHAR
  return code > 127 ? LOWER_CHAR : NONE
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/** Finds which types a key name speaks of. Results are remembered for the most recent keys (bounded). */
export class KeyVocabulary {
  readonly #byFirstWord = new Map<string, { words: readonly string[]; type: DataTypeDefinition }[]>()
  readonly #joined: { text: string; type: DataTypeDefinition }[] = []
  readonly #known = new Map<string, KeyFacts>()

  constructor(definitions: readonly DataTypeDefinition[]) {
    for (const type of definitions) {
      for (const phrase of type.keys ?? []) this.#add(phrase, type)
    }
  }

  /** Facts of one key; computed once per distinct key while it stays remembered. */
  factsOf(key: string): KeyFacts {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const facts = this.#compute(key)
    if (this.#known.size >= MAX_CACHED_KEYS) this.#known.clear()
    this.#known.set(key, facts)
    return facts
  }

  #add(phrase: string, type: DataTypeDefinition): void {
    const words = phrase.split(' ')
    const list = this.#byFirstWord.get(words[0]!)
    if (list === undefined) this.#byFirstWord.set(words[0]!, [{ words, type }])
    else list.push({ words, type })
    const joined = words.join('')
    if (joined.length >= 5) this.#joined.push({ text: joined, type })
  }

  #compute(key: string): KeyFacts {
    const words = keyWords(key.length > MAX_KEY_LENGTH ? key.slice(-MAX_KEY_LENGTH) : key)
    const named = new Set<DataTypeDefinition>()
    let misleading = false
    let generic = true
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!
      if (MISLEADING_WORDS.has(word)) misleading = true
      if (!GENERIC_WORDS.has(word) && !isNumber(word)) generic = false
      for (const entry of this.#byFirstWord.get(word) ?? []) {
        if (entry.words.every((wanted, at) => words[i + at] === wanted)) named.add(entry.type)
      }
    }
    const letters = words.filter((word) => !isNumber(word))
    if (letters.length > 1 && (ABOUT_BEGINNINGS.has(letters[0]!) || ABOUT_ENDINGS.has(letters.at(-1)!))) {
      return { named: [], misleading, generic }
    }
    if (letters.length === 1) this.#matchJoined(letters[0]!, named)
    return { named: [...named], misleading, generic }
  }

  /** `creditcardnumber` has no word borders: compare its beginning and end with the joined phrases. */
  #matchJoined(word: string, named: Set<DataTypeDefinition>): void {
    if (word.length < 5) return
    for (const { text, type } of this.#joined) {
      if (word.length >= text.length && (word.startsWith(text) || word.endsWith(text))) named.add(type)
    }
  }
}

function isNumber(word: string): boolean {
  const code = word.charCodeAt(0)
  return code >= 48 && code <= 57
}
