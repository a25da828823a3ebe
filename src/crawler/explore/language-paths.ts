/** Languages of one page, after which the first segment of paths is known to be a language. */
const LEAST = 3
/** Pages that have to tell so: two departments may have a page of one name. */
const LEAST_PAGES = 2
/** Pages remembered. */
const PAGES = 20_000

/**
 * Notices that an application has its pages in several languages, told apart by the first segment of their paths
 * (`/de/projects`): the crawl needs each page once.
 */
export class LanguagePaths {
  readonly #languages = new Map<string, Set<string>>()
  /** Pages of each origin that tell that its paths begin with a language. */
  readonly #telling = new Map<string, Set<string>>()

  /** Notes a page. @returns whether it was seen in another language, or without one */
  isTranslation({ origin, pathname }: URL): boolean {
    const { language, rest } = languageOf(pathname)
    const page = origin + rest
    const known = this.#languages.get(page) ?? new Set()
    const isFirst = known.size === 0
    if (this.#languages.size < PAGES) this.#languages.set(page, known.add(language))
    const codes = [...known].filter((code) => code !== '')
    const telling = this.#telling.get(origin) ?? new Set()
    const tells = codes.length >= LEAST || (codes.length > 1 && codes.includes('en'))
    if (tells && telling.size < LEAST_PAGES) this.#telling.set(origin, telling.add(page))
    return language !== '' && !isFirst && telling.size >= LEAST_PAGES
  }
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

function languageOf(pathname: string): { readonly language: string; readonly rest: string } {
  const [, code = '', rest = ''] = /^\/([a-z]{2}(?:[-_][A-Za-z]{2})?)(\/.*)?$/.exec(pathname) ?? []
  if (code === '' || names.of(code.replace('_', '-')) === undefined) return { language: '', rest: pathname }
  return { language: code, rest: rest === '' ? '/' : rest }
}
