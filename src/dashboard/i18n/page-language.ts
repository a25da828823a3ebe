import { createContext } from 'react'

/** Language of the page, for what it shows outside its element (dialogs); undefined where it is the shown language. */
export const PageLanguage = createContext<'en' | undefined>(undefined)
