import { Button } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { useMayWrite } from '../../data/use-own-user.ts'

// Its fields are loaded when it is opened.
const CareDialog = lazy(() => import('../../components/endpoint/care-dialog.tsx'))

/** Changes tags, owner and state of an endpoint. */
export function CareButton({ endpoint }: { endpoint: EndpointDetail }) {
  const [isOpen, setOpen] = useState(false)
  if (!useMayWrite()) return null
  return (
    <>
      <Button variant="default" leftSection={<IconTag size={16} />} onClick={() => setOpen(true)}>
        Tags and owner
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <CareDialog endpoints={[endpoint]} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
