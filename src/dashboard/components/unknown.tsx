import { Text, VisuallyHidden } from '@mantine/core'
import { unknownText } from '../data/words.ts'
import { t } from '../i18n/translate.ts'

/** Stands where a value is not known yet, or could not be asked for: never a zero. */
export function Unknown() {
  return (
    <Text span size="sm" c="dimmed">
      <span aria-hidden>{unknownText}</span>
      <VisuallyHidden>{t('common.notKnown')}</VisuallyHidden>
    </Text>
  )
}
