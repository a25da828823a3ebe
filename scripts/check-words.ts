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

/** Files that no user sees and that are not checked: tests, cases, migrations, this list. */
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

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|md|ya?ml)$/.test(name) && !NOT_CHECKED.test(name))
    .map((name) => join(path, name))
}

function phrasesOf(root: string, path: string): string[] {
  const text = textOf(root, path)
  return PHRASES.flatMap(([phrase, instead]) =>
    Array.from(text.matchAll(phrase), ({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${relative(root, path)}:${line}: "${found.replace(/\s+/g, ' ')}"; write: ${instead}`
    }),
  )
}

/** Each phrase found in a clean place, with what to write. */
export function checkWords(root: string, places: readonly string[] = CLEAN): string[] {
  return places.flatMap((place) => filesOf(join(root, place))).flatMap((path) => phrasesOf(root, path))
}
