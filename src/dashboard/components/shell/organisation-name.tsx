import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { rememberOrganisationZone } from '../../data/time-zone.ts'
import { useRead } from '../../data/use-operation.ts'

/** The name of the organisation, where there is room for it; its zone is remembered on the way. */
export function OrganisationName() {
  const organisation = useRead('fetchOrganisation', {}).data?.organisation
  const zone = organisation?.timeZone
  useEffect(() => {
    if (zone !== undefined) rememberOrganisationZone(zone)
  }, [zone])
  if (organisation === undefined || organisation.name === '') return null
  return (
    <Text size="sm" c="dimmed" visibleFrom="md" truncate maw={320} title={organisation.name}>
      {organisation.name}
    </Text>
  )
}
