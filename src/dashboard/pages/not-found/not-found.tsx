import { Button, Paper } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconMapOff } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { EmptyState } from '../../components/feedback/empty-state.tsx'

/** No page has this address. */
export function NotFound() {
  useDocumentTitle('Page not found · Vigil')
  const { pathname } = useLocation()
  return (
    <Paper withBorder>
      <EmptyState
        icon={<IconMapOff size={28} />}
        title="There is no page at this address"
        level={1}
        actions={
          <Button component={Link} to="/apis">
            Go to the collections
          </Button>
        }
      >
        Nothing is at {pathname}. The link may be mistyped, or the collection it names may be gone.
      </EmptyState>
    </Paper>
  )
}
