import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/dropzone/styles.css'
import './theme/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loadRemedies } from './data/describe-error.ts'
import { shownLanguage } from './i18n/language.ts'
import { loadMessages } from './i18n/translate.ts'
import { session } from './session/use-session.ts'

/** The first view comes first. */
const REMEDIES_AFTER_MS = 3_000

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
document.documentElement.lang = shownLanguage
void session.start()
await loadMessages()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
// Here before they are needed: a server that is away cannot send them.
setTimeout(loadRemedies, REMEDIES_AFTER_MS)
