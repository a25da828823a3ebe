const MIB = 1024 * 1024

/** Texts of any length that patterns are slow on. */
export const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => 'a'.repeat(length),
  letters: (length) => letters(length),
  words: (length) => repeated('lorem ipsum Error in SQL dolor 12345 sit@amet.example ', length),
  json: (length) => `[${repeated('{"id":12345678,"note":"a \\"b\\"\\n at x"},', length - 3)}{}]`,
  'deep json': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'json in json': (length) => JSON.stringify({ a: JSON.stringify({ b: repeated('x\n"', length / 4) }) }),
  'many keys': (length) =>
    `{${Array.from({ length: length / 20 }, (_, i) => `"key${i}":"v${i}"`).join(',')}}`,
  markup: (length) => repeated('<a href="x">&lt;', length),
}

const NAMES =
  'mail address contact owner buyer seller home work billing shipping first last main other old new next support sales legal press help info admin root guest member partner vendor agent author editor'.split(
    ' ',
  )

/** The largest sample that is kept. */
const SAMPLE = 60_000

/** Texts of thousands of values that are masked when they are shown. */
export const SENSITIVE: Readonly<Record<string, string>> = {
  'email addresses': `[${counted((i) => `"user${i}@shop.test"`)}]`,
  'email fields': `{${counted((i) => `"email${i}":"user${i}@shop.test"`)}}`,
  'fields of many names': `{${counted((i) => `"${NAMES[i % NAMES.length]}${NAMES[(i * 7) % NAMES.length]}${i % 2 === 0 ? '' : '_of'}":"user${i}@shop.test"`)}}`,
  'email addresses in one text': JSON.stringify({ note: counted((i) => `user${i}@shop.test`, ' ') }),
  'form of passwords': counted((i) => `password=abcdef${i}`, '&'),
  tokens: `[${counted((i) => `"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIke${i}In0.abc${i}def"`)}]`,
}

/** Numbered items, as many as a sample has room for. */
function counted(itemOf: (number: number) => string, separator = ','): string {
  const items: string[] = []
  for (let length = 0; length < SAMPLE; length += items.at(-1)!.length + separator.length)
    items.push(itemOf(items.length))
  return items.join(separator)
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** An order of letters without a period. */
function letters(length: number): string {
  const made: string[] = []
  for (let state = 7; made.length < Math.min(length, MIB); ) {
    state = (state * 16_807) % 2_147_483_647
    made.push('aaabbbabcab'[state % 11]!)
  }
  return repeated(made.join(''), length)
}

/** Patterns that cost much, and the text that makes them. */
export const PATTERNS: readonly (readonly [pattern: string, text: string])[] = [
  ['(?:a?){500}a{500}', 'one letter'],
  ['(?:a?){900}b', 'one letter'],
  ['a[ab]{400}c', 'letters'],
  ['(a+)+$', 'one letter'],
  ['(a|a)*b', 'one letter'],
  ['(?:.{1,60}b){12}z', 'letters'],
  ['(?i)sql syntax.*mysql', 'words'],
  ['(?i)(error|exception|warning).{0,200}(oracle|postgres)', 'words'],
  ['[a-z]+@[a-z]+\\.com', 'words'],
  ['(?s).*.*.*x{5}', 'words'],
  ['(?=(a+)+b)a', 'one letter'],
  ['(?<=a{1,300})c', 'letters'],
  ['\\n\\s+at \\S+ \\(', 'json'],
  ['"note":"[^"]*"[^{]*\\{"id":9', 'json'],
  ['(?:\\[|\\])*x', 'deep json'],
  ['x\\n"{3}', 'json in json'],
  ['"key(\\d+)":"v\\1', 'many keys'],
  ['(?:<a[^>]*>&lt;)+</a>', 'markup'],
]
