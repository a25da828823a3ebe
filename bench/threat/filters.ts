import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileFilter, type Filter, problemText } from '../../src/threat/index.ts'

/** The filters of a folder, by file name; those that ship unless told otherwise. */
export function filterTexts(
  folder: string = new URL('../../templates/filters', import.meta.url).pathname,
): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** A filter that has to compile. */
export function compiled(text: string): Filter {
  const { filter, problems } = compileFilter(text)
  if (filter === null) throw new Error(problems.map(problemText).join('\n'))
  return filter
}

/** Words of patterns and lists, outside of escapes, flags and sets. */
const WORDS = /\\[A-Za-z]|\(\?[a-z]+[:)]|\[[^\]]*\]|[A-Za-z]{3,}/g

/**
 * Another filter of the same make that looks for other words: the last letter of each is moved on. Only lists of
 * patterns and words are changed.
 */
export function variantOf(text: string, number: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (/^id:/.test(line)) return `${line.trimEnd()}-${number}`
      if (!/^\s*- (?!rule|name)['"]?[^:]*$|^\s*- ['"]/.test(line)) return line
      return line.replace(WORDS, (word) => (/^[A-Za-z]+$/.test(word) ? moved(word, number) : word))
    })
    .join('\n')
}

function moved(word: string, number: number): string {
  const last = word.charCodeAt(word.length - 1) | 32
  return word.slice(0, -1) + String.fromCharCode(97 + ((last - 97 + number) % 26))
}
