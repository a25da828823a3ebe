import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

/** The next step where nothing was imported or received yet. */
export function AddTraffic() {
  return (
    <Button component={Link} to="/start" leftSection={<IconPlus size={16} />}>
      Add traffic
    </Button>
  )
}
