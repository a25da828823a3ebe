import { Button } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { CareDialog } from '../../components/endpoint/care-dialog.tsx'
import { useMayWrite } from '../../data/use-own-user.ts'

/** Changes tags, owner and state of an endpoint. */
export function CareButton({ endpoint }: { endpoint: EndpointDetail }) {
  const [isOpen, setOpen] = useState(false)
  if (!useMayWrite()) return null
  return (
    <>
      <Button variant="default" leftSection={<IconTag size={16} />} onClick={() => setOpen(true)}>
        Tags and owner
      </Button>
      {isOpen && <CareDialog endpoints={[endpoint]} onClose={() => setOpen(false)} />}
    </>
  )
}
