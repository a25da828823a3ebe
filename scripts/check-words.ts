/** The words check of `npm run check`: phrases that readers stumble over must not return where texts are clean. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A phrase that readers stumble over, and what to write. */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [
    /(?<!\bthere\s)\b(?:is|are|was|were)\s+no\s+(?!longer\b|such\b|(?:more|less|larger|other)\b)/gi,
    'is not a',
  ],
  [/\bof\s+ours\b(?!\))/gi, 'our, Vigil’s'],
  [/\bwhoever\b/gi, 'anyone who'],
  [/\bsigns?\s+of\s+life\b/gi, 'heartbeat'],
  [/\bso\s+many\b/gi, 'the number, or too many'],
  [/\bcom(?:es|ing)\s+back\b/gi, 'is returned, reopens, retries'],
  [/\bof\s+(?:its|their)\s+own\b/gi, 'its own, a separate'],
  [/\b(?:is|are)\s+told\b/gi, 'is notified'],
  [/\bgoes\s+on\b/gi, 'continues'],
  [/\bthat\s+(?:is|are)\s+none\b/gi, 'that is not one'],
  [/\bno\s+more\b(?!\s+than\b)/gi, 'no longer, nothing else'],
  [/\bfor\s+good\b/gi, 'permanently'],
  [/\bcall-backs?\b/gi, 'callback'],
  [/\bby\s+itself\b/gi, 'on its own, automatically'],
  [/\bcodes?\s+of\s+one\s+time\b/gi, 'one-time code'],
  [
    /\b(?:has|have|names?|finds?|holds?|needs?|takes?|gives?)\s+no\s+(?:object|text|array|list|number|string|JSON|one)\b/gi,
    'is not an object, has only …',
  ],
  [/\bstands?\s+(?:in|there|beside|behind|nowhere)\b/gi, 'is in, replaces'],
  [/[a-z]\s+alone(?=[.,;)'"`])/g, 'only …'],
  [/\b(?:companion|witness)\b/gi, 'helper worker, session probe'],
]

/** Folders and files that are checked: TypeScript with its comments, whole Markdown and YAML. */
const CLEAN = [
  'src',
  'scripts',
  'templates',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
]

/** Folders of which the titles of tests and the names of cases are checked. */
const TITLED = ['src', 'test', 'templates']

const HAS_TITLES = /\.test\.tsx?$|-cases\.ts$|\.cases\.yaml$/
/** Files that no user sees and that are not checked whole: tests, cases, migrations, this list. */
const NOT_CHECKED = /\.test\.tsx?$|\.cases\.yaml$|migrations\/|check-words\.ts$/

/** Folders of which only the strings are checked: their comments still have the phrases. */
const STRINGS_ONLY = /^src\/(?:inventory\/engine|crawler)\//

/** What is checked of a file, on the same lines; a phrase that runs over lines of a comment is one phrase. */
function textOf(root: string, path: string): string {
  const source = readFileSync(path, 'utf8')
  if (!/\.tsx?$/.test(path)) return source
  return STRINGS_ONLY.test(relative(root, path))
    ? source.replace(/^[ \t]*(?:\/?\*|\/\/|--).*$|[ \t]\/\/ .*$/gm, '')
    : source.replace(/\n[ \t]*(?:\*|\/\/) /g, '\n')
}

/** A text that is followed by the function or the options of a test. */
const TITLE = /(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1,\s*(?:async\s*)?(?:\(|\{|function\b|\w+\s*=>)/

/** The titles of a file's tests or the names of its cases, on the same lines. */
function titlesOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n')
  const title = (line: string): string =>
    path.endsWith('.yaml') ? (/^\s*- name: (.*)/.exec(line)?.[1] ?? '') : (TITLE.exec(line)?.[2] ?? '')
  return lines.map(title).join('\n')
}

function filesOf(path: string, isWanted: (name: string) => boolean): string[] {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|md|ya?ml)$/.test(name) && isWanted(name))
    .map((name) => join(path, name))
}

function phrasesOf(root: string, path: string, text: string): string[] {
  return PHRASES.flatMap(([phrase, instead]) =>
    Array.from(text.matchAll(phrase), ({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${relative(root, path)}:${line}: "${found.replace(/\s+/g, ' ')}"; write: ${instead}`
    }),
  )
}

/** Each phrase found in a clean place, with what to write. */
export function checkWords(root: string, places: readonly string[] = CLEAN): string[] {
  const whole = places
    .flatMap((place) => filesOf(join(root, place), (name) => !NOT_CHECKED.test(name)))
    .flatMap((path) => phrasesOf(root, path, textOf(root, path)))
  const titles = TITLED.flatMap((place) => filesOf(join(root, place), (name) => HAS_TITLES.test(name)))
  return [...whole, ...titles.flatMap((path) => phrasesOf(root, path, titlesOf(path)))]
}
