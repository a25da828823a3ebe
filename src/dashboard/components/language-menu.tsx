import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { keepLanguage, languages, shownLanguage } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { notifyNotKept } from './feedback/notify-failure.ts'

/** Chooses the language before sign-in, where there are no preferences yet; the pages start anew. */
export function LanguageMenu() {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('language.label')}>
          <IconLanguage size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map(({ tag, name }) => (
          <Menu.Item
            key={tag}
            lang={tag}
            rightSection={tag === shownLanguage && <IconCheck size={14} aria-label={t('scheme.chosen')} />}
            onClick={() => {
              if (keepLanguage(tag)) window.location.reload()
              else notifyNotKept()
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
