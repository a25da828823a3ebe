/** Languages of one page, after which the first segment of paths is known to be a language. */
const LEAST = 3
/** Pages remembered. */
const PAGES = 20_000

/**
 * Notices that an application has its pages in several languages, told apart by the first segment of their paths
 * (`/de/projects`): the crawl needs each page once.
 */
export class LanguagePaths {
  readonly #languages = new Map<string, Set<string>>()
  /** Origins whose paths begin with a language. */
  readonly #proven = new Set<string>()

  /** Notes a page. @returns whether it was seen in another language, or without one */
  isTranslation({ origin, pathname }: URL): boolean {
    const { language, rest } = languageOf(pathname)
    const page = origin + rest
    const known = this.#languages.get(page) ?? new Set()
    const isFirst = known.size === 0
    if (this.#languages.size < PAGES) this.#languages.set(page, known.add(language))
    const codes = [...known].filter((code) => code !== '')
    if (codes.length >= LEAST || (codes.length > 1 && codes.includes('en'))) this.#proven.add(origin)
    return language !== '' && !isFirst && this.#proven.has(origin)
  }
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

function languageOf(pathname: string): { readonly language: string; readonly rest: string } {
  const [, code = '', rest = ''] = /^\/([a-z]{2}(?:[-_][A-Za-z]{2})?)(\/.*)?$/.exec(pathname) ?? []
  if (code === '' || names.of(code.replace('_', '-')) === undefined) return { language: '', rest: pathname }
  return { language: code, rest: rest === '' ? '/' : rest }
}
