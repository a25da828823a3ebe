/** Languages of the dashboard, each by its tag (BCP 47) and in its own words. */
export const languages = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
] as const

export type Language = (typeof languages)[number]['tag']

const KEY = 'vigil-language'

function readLanguage(): Language {
  try {
    const kept = globalThis.localStorage?.getItem(KEY)
    return languages.find(({ tag }) => tag === kept)?.tag ?? 'en'
  } catch {
    return 'en' // storage is forbidden here
  }
}

/** The language in which pages are shown; it is read once, when the pages start. */
export const shownLanguage = readLanguage()

/** How dates are written: day before month, and 24 hours, in English too. */
export const dateLocale = shownLanguage === 'en' ? 'en-GB' : shownLanguage

/** Keeps a language for this browser, from the next start of the pages on; false where the browser keeps nothing. */
export function keepLanguage(language: Language): boolean {
  try {
    if (language === 'en') globalThis.localStorage.removeItem(KEY)
    else globalThis.localStorage.setItem(KEY, language)
    return true
  } catch {
    return false
  }
}

/** Pages whose texts are in the catalogue; the texts of all others are English in every language. */
const translatedPages = [
  /^\/$/,
  /^\/(?:signup|reset-password)$/,
  /^\/settings\/(?:preferences|organisation|keys|team|audit|status)$/,
]

/** The language of the page at an address, for the attribute `lang`; undefined where it is the shown one. */
export function languageOfPage(pathname: string): 'en' | undefined {
  if (shownLanguage === 'en') return undefined
  return translatedPages.some((page) => page.test(pathname)) ? undefined : 'en'
}
