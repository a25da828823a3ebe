import {
  Button,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Title,
  useMantineColorScheme,
} from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { notifyNotKept } from '../../../components/feedback/notify-failure.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { PasswordDialog } from '../../../components/shell/password-dialog.tsx'
import { TimeZoneField } from '../../../components/time-zone-field.tsx'
import { chosenZone, keepZone } from '../../../data/time-zone.ts'
import { keepLanguage, type Language, languages, shownLanguage } from '../../../i18n/language.ts'
import { t } from '../../../i18n/translate.ts'

// QR codes are drawn by a library that no other page needs.
const SecondFactorDialog = lazy(() => import('../../../components/shell/second-factor-dialog.tsx'))

/** What a person chooses for this browser, and how they sign in. */
export default function Preferences() {
  return (
    <>
      <PageHeader title={t('account.preferences')} description={t('preferences.lead')} />
      <Stack maw={560}>
        <Display />
        <SignIn />
      </Stack>
    </>
  )
}

/** Language, zone and colours; the pages start anew with another language or zone. */
function Display() {
  const [language, setLanguage] = useState<Language>(shownLanguage)
  const [zone, setZone] = useState(chosenZone)
  const isSame = language === shownLanguage && zone === chosenZone
  return (
    <Paper withBorder p="md" component="section" aria-label={t('preferences.display')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (keepLanguage(language) && keepZone(zone)) window.location.reload()
          else notifyNotKept()
        }}
      >
        <Stack>
          <Title order={2}>{t('preferences.display')}</Title>
          <Select
            label={t('language.label')}
            description={t('language.note')}
            data={languages.map(({ tag, name }) => ({ value: tag, label: name }))}
            value={language}
            allowDeselect={false}
            onChange={(next) => next !== null && setLanguage(next as Language)}
          />
          <TimeZoneField
            description={t('preferences.zoneNote')}
            value={zone}
            onChange={setZone}
            offersOrganisation
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={isSame}>
              {t('common.save')}
            </Button>
          </Group>
          <Scheme />
        </Stack>
      </form>
    </Paper>
  )
}

function Scheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div>
      <Text size="sm" fw={600} mb={4} id="colour-scheme">
        {t('scheme.label')}
      </Text>
      <SegmentedControl
        aria-labelledby="colour-scheme"
        value={colorScheme}
        onChange={(next) => setColorScheme(next as typeof colorScheme)}
        data={[
          { value: 'light', label: t('scheme.light') },
          { value: 'dark', label: t('scheme.dark') },
          { value: 'auto', label: t('scheme.auto') },
        ]}
      />
    </div>
  )
}

function SignIn() {
  const [open, setOpen] = useState<'password' | 'factor' | null>(null)
  const password = useRef<HTMLButtonElement>(null)
  const factor = useRef<HTMLButtonElement>(null)
  return (
    <Paper withBorder p="md" component="section" aria-label={t('preferences.signIn')}>
      <Title order={2} mb="sm">
        {t('preferences.signIn')}
      </Title>
      <Group>
        <Button ref={password} variant="default" onClick={() => setOpen('password')}>
          {t('account.password')}
        </Button>
        <Button ref={factor} variant="default" onClick={() => setOpen('factor')}>
          {t('account.secondFactor')}
        </Button>
      </Group>
      {open === 'password' && <PasswordDialog onClose={() => setOpen(null)} returnTo={password} />}
      {open === 'factor' && (
        <Suspense fallback={null}>
          <SecondFactorDialog onClose={() => setOpen(null)} returnTo={factor} />
        </Suspense>
      )}
    </Paper>
  )
}
