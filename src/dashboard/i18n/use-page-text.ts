import { useContext } from 'react'
import { PageLanguage } from './page-language.ts'
import { inEnglish, t } from './translate.ts'

/**
 * Messages in the language of the page that a component is on: what pages and dialogs share would else speak another
 * language than the page that is not translated.
 */
export function usePageText(): typeof t {
  return useContext(PageLanguage) === 'en' ? inEnglish : t
}
