import { Select } from '@mantine/core'
import { organisationZoneChoice, shownZone, zoneChoices } from '../data/time-zone.ts'
import { t } from '../i18n/translate.ts'

interface TimeZoneFieldProps {
  readonly label?: string
  readonly description?: string
  readonly value: string
  readonly onChange: (zone: string) => void
  /** Offers the zone of the organisation too, as an empty value. */
  readonly offersOrganisation?: boolean
}

/** Chooses a time zone by its name. */
export function TimeZoneField(props: TimeZoneFieldProps) {
  const { label, description, value, onChange, offersOrganisation = false } = props
  return (
    <Select
      label={label ?? t('time.zone')}
      description={description}
      data={[...(offersOrganisation ? [organisationZoneChoice()] : []), ...zoneChoices()]}
      value={value}
      searchable
      allowDeselect={false}
      limit={100}
      openOnFocus={false}
      onChange={(zone) => onChange(zone ?? shownZone)}
    />
  )
}
