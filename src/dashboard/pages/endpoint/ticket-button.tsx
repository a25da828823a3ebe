import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTicket } from '@tabler/icons-react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { saveFile } from '../../data/save-file.ts'
import { ticketText } from './ticket-text.ts'

/** Copies what is known of an endpoint as the text of a ticket; saves it where the clipboard is not allowed. */
export function TicketButton({ endpoint }: { endpoint: EndpointDetail }) {
  const copy = async () => {
    const text = ticketText(endpoint, globalThis.location.href)
    try {
      await navigator.clipboard.writeText(text)
      notifications.show({ title: 'Copied as Markdown', message: 'Paste it into a ticket.' })
    } catch {
      // A page without TLS, or a person who forbids it, has no clipboard.
      saveFile('endpoint.md', text, 'text/markdown')
      notifications.show({ title: 'Saved as Markdown', message: 'The clipboard is not available here.' })
    }
  }
  return (
    <Button variant="default" leftSection={<IconTicket size={16} />} onClick={() => void copy()}>
      Copy as Markdown
    </Button>
  )
}
