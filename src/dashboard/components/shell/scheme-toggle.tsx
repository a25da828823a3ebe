import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { t } from '../../i18n/translate.ts'

const schemes = [
  { value: 'light', label: 'scheme.light', Icon: IconSun },
  { value: 'dark', label: 'scheme.dark', Icon: IconMoon },
  { value: 'auto', label: 'scheme.auto', Icon: IconDeviceDesktop },
] as const

/** Chooses the colour scheme; the choice stays in this browser. */
export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = schemes.find((scheme) => scheme.value === colorScheme)?.Icon ?? IconDeviceDesktop
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('scheme.label')}>
          <Current size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            rightSection={colorScheme === value && <IconCheck size={14} aria-label={t('scheme.chosen')} />}
            onClick={() => setColorScheme(value)}
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
