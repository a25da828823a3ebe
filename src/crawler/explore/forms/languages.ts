/** Entries of a list that have to be names of languages for it to be one of languages. */
const LEAST = 3

let names: Set<string> | null = null

/** Names of languages in English and in each of themselves, lower case. */
function languageNames(): Set<string> {
  if (names !== null) return names
  names = new Set()
  const english = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second
      const name = english.of(code)
      if (name === undefined) continue
      names.add(name.toLowerCase())
      const own = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)
      if (own !== undefined) names.add(own.toLowerCase())
    }
  }
  return names
}

/** Whether a text is the name of a language, with a region or without: `Afrikaans (South Africa)`, `Português - Brasil`. */
export function namesLanguage(text: string): boolean {
  const name = text
    .split(/[(（[\-–—/,]/)[0]!
    .trim()
    .toLowerCase()
  return name !== '' && name.length <= 40 && languageNames().has(name)
}

/** The entries of a list that are names of languages; none where too few of them are. */
export function languagesAmong<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  const found = entries.filter(({ name }) => namesLanguage(name))
  return found.length >= LEAST ? found : []
}

/** Whether a list mostly consists of names of languages. */
export function isOfLanguages(entries: readonly { readonly name: string }[]): boolean {
  return entries.filter(({ name }) => namesLanguage(name)).length * 2 > entries.length
}

/** The entry for English, of which the crawl reads the words on buttons best; undefined without. */
export function englishAmong<T extends { readonly name: string }>(entries: readonly T[]): T | undefined {
  return entries.find(({ name }) => /^english\b/i.test(name.trim()))
}
