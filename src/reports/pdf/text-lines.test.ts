import { expect, test } from 'vitest'
import { FontBook } from './fonts.ts'
import { readableText, shortened } from './readable-text.ts'
import { breakLines } from './text-lines.ts'
import { styles } from './theme.ts'

const fonts = new FontBook()

function linesOf(text: string, width: number, style = styles.body): string[] {
  return breakLines(text, style, width, fonts).map((line) => line.runs.map((run) => run.text).join(''))
}

test('text is broken between words and at line ends', () => {
  expect(linesOf('one two\r\nthree', 400)).toEqual(['one two', 'three'])
  const lines = linesOf('the quick brown fox jumps over the lazy dog', 80)
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.map((line) => line.trim()).join(' ')).toBe('the quick brown fox jumps over the lazy dog')
})

test('no line is wider than its column, whatever the text', () => {
  const texts = [
    `https://h/${'aaaaaaaaaaaaaaaaaa/b?q='.repeat(500)}`,
    '中文测试'.repeat(300),
    'مرحبا بالعالم '.repeat(100),
    'W'.repeat(10_000),
  ]
  for (const text of texts)
    for (const line of breakLines(text, styles.cell, 120, fonts))
      expect(line.width).toBeLessThanOrEqual(120.001)
})

test('nothing is lost from a long word, and it is broken after a mark where there is one', () => {
  const url = `https://shop.example/${'segment/'.repeat(40)}`
  const lines = linesOf(url, 150)
  expect(lines.join('')).toBe(url)
  expect(lines.slice(0, -1).every((line) => line.endsWith('/'))).toBe(true)
})

test('every character is drawn by a font that has it', () => {
  const [line] = breakLines('aЖΩệ中א😀ह', styles.body, 1_000, fonts)
  expect(line!.runs.map((run) => run.font.key)).toContain('unifontex')
  for (const { text, font } of line!.runs)
    for (const char of text) expect(font.font.hasGlyphForCodePoint(char.codePointAt(0)!)).toBe(true)
})

test('right-to-left words are seen in their order', () => {
  expect(linesOf('a שלום עולם b', 1_000)[0]).toBe('a עולם שלום b')
})

test('what is invisible or turns text around is written out', () => {
  expect(readableText('a\u202eb\u0000c\u200bd\u2028e')).toBe('a\\u202eb\\u0000c\\u200bd\\u2028e')
  expect(readableText('\ud800x')).toBe('□x')
  expect(readableText('👩\u200d👧\ufe0f')).toBe('👩👧')
  expect(readableText('a\r\nb\rc\td')).toBe('a\nb\nc  d')
})

test('a cut leaves no half of a character', () => {
  expect(shortened('ab😀cd', 3)).toBe('ab…')
  expect(shortened('ab', 2)).toBe('ab')
})
