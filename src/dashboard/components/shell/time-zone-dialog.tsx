import { Button, Group, Stack, Text } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { chooseZone, shownZone } from '../../data/time-zone.ts'
import { Dialog } from '../dialog.tsx'
import { TimeZoneField } from '../time-zone-field.tsx'

interface TimeZoneDialogProps {
  readonly onClose: () => void
  readonly returnTo?: RefObject<HTMLElement | null>
}

/** Chooses the zone in which this browser shows times. */
export function TimeZoneDialog({ onClose, returnTo }: TimeZoneDialogProps) {
  const [zone, setZone] = useState(shownZone)
  return (
    <Dialog onClose={onClose} title="Time zone" returnTo={returnTo}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          chooseZone(zone)
        }}
      >
        <Stack>
          <TimeZoneField label="Show times in" value={zone} onChange={setZone} />
          <Text size="sm" c="dimmed">
            For this browser only. Days of charts are days in UTC, and reports and exports name their zone.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Show times in this zone</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
