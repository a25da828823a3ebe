import { Anchor, List, Paper, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { t } from '../../i18n/translate.ts'
import { worstIssues } from './worst-issues.ts'

interface Step {
  readonly text: string
  readonly label: string
  readonly to: string
}

/** What would help most now; nothing when there is nothing to say or answers are missing. */
export function NextSteps() {
  const attacker = useRead('fetchAuthMechanismData', {}).data
  const roles = useRead('fetchTestRoles', {}).data?.testRoles
  const runs = useRead('getAllTestsCountMap', { filters: '{}', startTimestamp: 0, endTimestamp: 0 }).data
  const issues = useRead('fetchIssueGroups', worstIssues).data
  const mayWrite = useMayWrite()
  if (!attacker || !roles || !runs || !issues || !mayWrite) return null
  const critical = issues.openGroupsBySeverity.CRITICAL ?? 0
  const steps: Step[] = []
  if (attacker.authMechanism === null) {
    steps.push({
      text: t('overview.stepAttacker'),
      label: t('overview.setAttacker'),
      to: '/settings/roles',
    })
  }
  if (runs.allTestRuns === 0) {
    steps.push({ text: t('overview.stepRun'), label: t('overview.planRun'), to: '/runs/new' })
  }
  if (critical > 0) {
    steps.push({
      text: t('overview.stepCritical', { open: critical }),
      label: t('overview.openThem'),
      to: '/issues?severity=CRITICAL',
    })
  }
  if (runs.allTestRuns > 0 && runs.scheduled + runs.continuous === 0) {
    steps.push({
      text: t('overview.stepSchedule'),
      label: t('overview.schedule'),
      to: '/runs/new',
    })
  }
  if (steps.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={t('overview.next')}>
      <Title order={2} mb="xs">
        {t('overview.next')}
      </Title>
      <List size="sm" spacing={6} withPadding>
        {steps.map((step) => (
          <List.Item key={step.label}>
            {step.text}{' '}
            <Anchor component={Link} to={step.to} size="sm" underline="always">
              {step.label}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Paper>
  )
}
