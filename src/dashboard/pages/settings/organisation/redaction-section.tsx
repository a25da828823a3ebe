import { Anchor, Group, Paper, Skeleton, Stack, Switch, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { Tag } from '../../../components/tag.tsx'
import { useRead, useWrite } from '../../../data/use-operation.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'

interface RedactionSectionProps {
  readonly organisation: ResponseOf<'fetchOrganisation'>['organisation']
  readonly isAdmin: boolean
}

/** What is masked before it is stored: everything of new collections, and values of data types. */
export function RedactionSection({ organisation, isAdmin }: RedactionSectionProps) {
  const update = useWrite('updateOrganisation', ['fetchOrganisation'])
  return (
    <Paper withBorder p="md" component="section" aria-label={t('organisation.redaction')}>
      <Stack>
        <div>
          <Title order={2}>{t('organisation.redaction')}</Title>
          <Text size="sm" c="dimmed">
            {t('organisation.redactionLead')}
          </Text>
        </div>
        <Switch
          label={t('organisation.redactsNew')}
          description={t('organisation.redactsNewNote')}
          checked={organisation.redactsNewCollections}
          disabled={!isAdmin || update.isPending}
          onChange={(event) => update.mutate({ redactsNewCollections: event.currentTarget.checked })}
        />
        {update.error && <FailureNotice error={update.error} />}
        <MaskedTypes />
        <Text size="sm" c="dimmed">
          {t('organisation.alwaysMasked')}
        </Text>
      </Stack>
    </Paper>
  )
}

/** Data types whose values are masked before they are stored. */
function MaskedTypes() {
  const { data, error, refetch } = useRead('fetchDataTypes', {})
  const masked = data?.dataTypes.filter(({ redacted, active }) => redacted && active) ?? []
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('organisation.maskedTypes')}
      </Text>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={22} mb={4} />}
      {data && (
        <Group gap={6} mb={4}>
          {masked.map(({ name }) => (
            <Tag key={name} code>
              {name}
            </Tag>
          ))}
          {masked.length === 0 && <Text size="sm">{t('organisation.noMaskedType')}</Text>}
        </Group>
      )}
      <Text size="sm">
        <RichText
          id="organisation.changeTypes"
          values={{
            types: (
              <Anchor component={Link} to="/apis/data-types" size="sm" underline="always">
                {t('page.dataTypes')}
              </Anchor>
            ),
            collections: (
              <Anchor component={Link} to="/apis" size="sm" underline="always">
                {t('page.collections')}
              </Anchor>
            ),
          }}
        />
      </Text>
    </div>
  )
}
