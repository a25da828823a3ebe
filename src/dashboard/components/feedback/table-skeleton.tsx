import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { shownLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'

/** Placeholder in the shape of a table, with a text for those who cannot see it. */
export function TableSkeleton({ rows = 8, label }: { rows?: number; label?: string }) {
  return (
    <Stack gap="sm" p="md" role="status">
      {label === undefined ? (
        <VisuallyHidden lang={shownLanguage}>{t('common.loading')}</VisuallyHidden>
      ) : (
        <VisuallyHidden>{label}</VisuallyHidden>
      )}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <Group key={row} wrap="nowrap" gap="md">
          <Skeleton height={14} width="35%" />
          <Skeleton height={14} width="15%" />
          <Skeleton height={14} width="20%" />
          <Skeleton height={14} width="10%" />
        </Group>
      ))}
    </Stack>
  )
}
