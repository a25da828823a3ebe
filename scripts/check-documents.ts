/**
 * The documents check of `npm run check`: links and comments name pages that exist, the README names every page,
 * decisions keep their form.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

const PLACES = ['docs', 'src', 'bench', 'templates/filters']
const SECTIONS = 'Context, Decision, Consequences'
const MAX_DECISION_WORDS = 400
const MAX_GLOSSARY_ROWS = 40

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

/** Relative links of a page whose target does not exist; code blocks hold no links. */
function deadLinks(root: string, path: string): string[] {
  const prose = readFileSync(path, 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    .filter((link) => !existsSync(resolve(dirname(path), link)))
    .map((link) => `${relative(root, path)}: ${link} does not exist`)
}

function decisionFaults(root: string, path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const place = relative(root, path)
  const words = text.split(/\s+/).length
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title).join(', ')
  return [
    ...(text.startsWith(`# ${basename(path).slice(0, 4)} `) ? [] : [`${place}: the title lacks its number`]),
    ...(sections === SECTIONS ? [] : [`${place}: sections are ${sections}, not ${SECTIONS}`]),
    ...(words <= MAX_DECISION_WORDS ? [] : [`${place}: ${words} words, at most ${MAX_DECISION_WORDS}`]),
  ]
}

/** Decisions that share their number with an earlier one. */
function sharedNumbers(root: string): string[] {
  const names = readdirSync(join(root, 'docs/decisions')).sort()
  return names
    .filter((name, at) => at > 0 && name.slice(0, 4) === names[at - 1]?.slice(0, 4))
    .map((name) => `docs/decisions/${name}: its number is taken, use the next free one`)
}

/** Pages for readers that the README does not link to; decisions are reached through their folder. */
function unlinked(root: string): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return markdownIn(join(root, 'docs'))
    .map((path) => relative(root, path))
    .filter((page) => !page.startsWith('docs/decisions/') && !readme.includes(`(${page})`))
    .map((page) => `README.md: no link to ${page}`)
}

/** Numbers of tests and filters that the README states and the library does not have. */
function falseCounts(root: string): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const library = readFileSync(join(root, 'docs/reference/test-library.md'), 'utf8')
  const filters = readdirSync(join(root, 'templates/filters')).filter((name) => name.endsWith('.yaml'))
  const counts = [
    ['tests', Number(library.match(/: (\d+) tests,/)?.[1])],
    ['filters', filters.length],
  ] as const
  return counts
    .filter(([what, count]) => !readme.includes(`${count} YAML ${what}`))
    .map(([what, count]) => `README.md: it should say "${count} YAML ${what}"`)
}

/** Pages that comments name and that are not in the repository. */
function missingPages(root: string): string[] {
  return ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, folder, name))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/^\s*(?:\*|\/\/|\/\*).*$/gm)]
          .flatMap(([comment]) => comment.match(/[\w./-]+\.md\b/g) ?? [])
          .filter((page) => !existsSync(join(root, page)) && !existsSync(resolve(dirname(path), page)))
          .map((page) => `${relative(root, path)}: a comment names ${page}, which does not exist`),
      ),
  )
}

/** What is wrong with the documents, one line each. */
export function checkDocuments(root: string): string[] {
  const pages = [...PLACES.flatMap((place) => markdownIn(join(root, place))), join(root, 'README.md')]
  const glossaryRows =
    readFileSync(join(root, 'docs/glossary.md'), 'utf8').match(/^\| (?!Word )/gm)?.length ?? 0
  return [
    ...pages.flatMap((path) => deadLinks(root, path)),
    ...markdownIn(join(root, 'docs/decisions')).flatMap((path) => decisionFaults(root, path)),
    ...sharedNumbers(root),
    ...missingPages(root),
    ...unlinked(root),
    ...falseCounts(root),
    ...(glossaryRows <= MAX_GLOSSARY_ROWS
      ? []
      : [`docs/glossary.md: ${glossaryRows} rows, at most ${MAX_GLOSSARY_ROWS}`]),
  ]
}
