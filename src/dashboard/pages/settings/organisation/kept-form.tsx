import { Alert, Anchor, Button, Group, NumberInput, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'

type KeptTime = ResponseOf<'fetchOrganisation'>['organisation']['kept'][number]

const words = {
  SAMPLES: 'kept.samples',
  CALLS: 'kept.calls',
  ADDRESSES: 'kept.addresses',
  COUNTERS: 'kept.counters',
  UNKNOWN_PATHS: 'kept.unknownPaths',
  IMPORTS: 'kept.imports',
  CRAWLS: 'kept.crawls',
  AUDIT_LOG: 'kept.auditLog',
  TEST_RESULTS: 'kept.testResults',
  REQUEST_LOG: 'kept.requestLog',
} as const
const units = {
  DAY: { word: 'kept.days', most: 36_500 },
  HOUR: { word: 'kept.hours', most: 876_000 },
} as const

/** Whether a time removes something that another keeps; 0 keeps forever. */
function isShorter(time: number, before: number): boolean {
  return time !== 0 && (before === 0 || time < before)
}

function timeText({ unit }: KeptTime, time: number): string {
  return time === 0 ? t('kept.forever') : t(units[unit].word, { count: time })
}

interface KeptFormProps {
  readonly kept: readonly KeptTime[]
  readonly isAdmin: boolean
}

/** How long data of each kind is kept; an empty field follows the settings of the server. */
export function KeptForm({ kept, isAdmin }: KeptFormProps) {
  const update = useWrite('updateOrganisation', ['fetchOrganisation'])
  const [times, setTimes] = useState<Readonly<Record<string, number | string>>>({})
  const sentOf = (one: KeptTime) => times[one.kind] ?? (one.isChosen ? one.time : '')
  const changed = kept.filter((one) => sentOf(one) !== (one.isChosen ? one.time : ''))
  const shorter = changed.filter((one) => {
    const time = sentOf(one)
    return isShorter(time === '' ? one.byDefault : Number(time), one.time)
  })
  const save = () =>
    update.mutate(
      {
        kept: changed.map((one) => {
          const time = sentOf(one)
          return { kind: one.kind, time: time === '' ? null : Number(time) }
        }),
      },
      { onSuccess: () => setTimes({}) },
    )
  return (
    <Paper withBorder component="section" aria-label={t('organisation.retention')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Stack p="md" gap={4}>
          <Title order={2}>{t('organisation.retention')}</Title>
          <Text size="sm" c="dimmed">
            <RichText
              id="kept.lead"
              values={{
                threats: (
                  <Anchor component={Link} to="/settings/threats" size="sm" underline="always">
                    {t('page.threatSettings')}
                  </Anchor>
                ),
              }}
            />
          </Text>
        </Stack>
        <CardFrame label={t('organisation.retention')}>
          <Table aria-label={t('organisation.retention')} verticalSpacing={6} miw={480}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('kept.what')}</Table.Th>
                <Table.Th>{t('kept.now')}</Table.Th>
                <Table.Th>{t('kept.chosen')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {kept.map((one) => (
                <Table.Tr key={one.kind}>
                  <Table.Td data-label={t('kept.what')}>{t(words[one.kind])}</Table.Td>
                  <Table.Td data-label={t('kept.now')}>{timeText(one, one.time)}</Table.Td>
                  <Table.Td data-label={t('kept.chosen')}>
                    <NumberInput
                      aria-label={`${t(words[one.kind])}, ${t(one.unit === 'DAY' ? 'kept.inDays' : 'kept.inHours')}`}
                      placeholder={t('kept.ofServer', { time: timeText(one, one.byDefault) })}
                      size="xs"
                      w={190}
                      min={0}
                      max={units[one.unit].most}
                      clampBehavior="strict"
                      allowDecimal={false}
                      allowNegative={false}
                      hideControls
                      disabled={!isAdmin}
                      value={sentOf(one)}
                      onChange={(time) => setTimes((now) => ({ ...now, [one.kind]: time }))}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
        <Stack p="md">
          {shorter.length > 0 && (
            <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={t('kept.removes')}>
              {t('kept.removesNote', { what: shorter.map(({ kind }) => t(words[kind])).join(', ') })}
            </Alert>
          )}
          {update.error && <FailureNotice error={update.error} />}
          {isAdmin && (
            <Group justify="flex-end">
              <Button
                type="submit"
                loading={update.isPending}
                disabled={changed.length === 0}
                {...(shorter.length > 0 ? { color: 'red.8' } : {})}
              >
                {t(shorter.length > 0 ? 'kept.saveAndRemove' : 'common.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  )
}
