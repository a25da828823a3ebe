import { Select } from '@mantine/core'
import { shownZone, zoneChoices } from '../data/time-zone.ts'
import { t } from '../i18n/translate.ts'

interface TimeZoneFieldProps {
  readonly label?: string
  readonly description?: string
  readonly value: string
  readonly onChange: (zone: string) => void
}

/** Chooses a time zone by its name. */
export function TimeZoneField({ label, description, value, onChange }: TimeZoneFieldProps) {
  return (
    <Select
      label={label ?? t('time.zone')}
      description={description}
      data={zoneChoices()}
      value={value}
      searchable
      allowDeselect={false}
      limit={100}
      openOnFocus={false}
      onChange={(zone) => onChange(zone ?? shownZone)}
    />
  )
}
