import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/dropzone/styles.css'
import './theme/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { session } from './session/use-session.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
void session.start()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
