import { Alert, Anchor, Button, List, Paper, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from 'react-router'
import { shownEndpoints } from '../../components/endpoint/endpoint-states.ts'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf, countText } from '../../data/words.ts'
import { aboutText } from './dry-run.tsx'
import { dryRunRequest, obstacles, type RunPlan } from './run-plan.ts'

interface PreviewProps {
  readonly plan: RunPlan
  readonly busy: boolean
  readonly failure: unknown
  /** The dry run of this plan is shown. */
  readonly isDry: boolean
  readonly onDryRun: () => void
  readonly onStart: () => void
}

/** Ids of the tests that would run: those of the suites, or else the chosen ones; undefined until the suites are read. */
function useChosenTests(plan: RunPlan) {
  const { data, error, refetch } = useRead('fetchAllTestSuites', {}, { enabled: plan.suiteIds.length > 0 })
  if (plan.suiteIds.length === 0) return { tests: [...plan.testIds], error: null, refetch }
  const chosen = data?.testSuiteList.filter((suite) => plan.suiteIds.includes(suite.hexId))
  return { tests: chosen && [...new Set(chosen.flatMap((suite) => suite.subCategoryList))], error, refetch }
}

/** Endpoints that would be tested; undefined until the collections are read. */
function useEndpointCount(plan: RunPlan) {
  const { data, error, refetch } = useRead('getAllCollections', {}, { enabled: plan.endpoints.length === 0 })
  if (plan.endpoints.length > 0) return { endpoints: plan.endpoints.length, error: null, refetch }
  const chosen = data?.apiCollections.filter((one) => plan.collectionIds.includes(one.id))
  return { endpoints: chosen?.reduce((sum, one) => sum + shownEndpoints(one), 0), error, refetch }
}

/** What would be run, and what is missing for it, before anything is sent. */
export function Preview({ plan, busy, failure, isDry, onDryRun, onStart }: PreviewProps) {
  const { tests, error: suitesError, refetch: readSuites } = useChosenTests(plan)
  const { endpoints, error: collectionsError, refetch: readCollections } = useEndpointCount(plan)
  const unread = collectionsError ?? suitesError
  const retry = () => void (collectionsError ? readCollections() : readSuites())
  const { byId } = useTests()
  const changing = (tests ?? []).filter((id) => byId.get(id)?.attributes?.nature._name === 'INTRUSIVE')
  const slow = (tests ?? []).filter((id) => byId.get(id)?.attributes?.duration._name === 'SLOW')
  const missing = obstacles(plan)
  const starts = plan.starts !== '' ? 'Schedule the run' : 'Start the run'
  return (
    <Paper withBorder p="md" component="section" aria-label="What would run">
      <Title order={2} mb="sm">
        What would run
      </Title>
      <Stack gap="sm">
        <Facts
          facts={[
            ['Endpoints', countText(endpoints)],
            ['Tests', countText(tests?.length)],
            [
              'Checks, at most',
              countText(
                endpoints === undefined || tests === undefined ? undefined : endpoints * tests.length,
              ),
            ],
          ]}
        />
        {unread && <FailureNotice error={unread} onRetry={retry} />}
        {isDry ? (
          <DryRunTotals plan={plan} />
        ) : (
          <Text size="sm" c="dimmed">
            Most checks are skipped once the run looks at the endpoint, each with its reason. A dry run tells
            which, and how many requests the others send. Requests go only to the hosts of these endpoints.
          </Text>
        )}
        {changing.length > 0 && (
          <Alert color="orange" icon={<IconAlertTriangle size={18} />} p="xs">
            {countOf(changing.length, 'test')} may change data of the target. Run them where that does no
            harm.
          </Alert>
        )}
        {slow.length > 0 && <Text size="sm">{countOf(slow.length, 'test')} may take long.</Text>}
        <MissingCredentials />
        {missing.length > 0 && (
          <List size="sm" aria-label="Still missing">
            {missing.map((one) => (
              <List.Item key={one}>{one}</List.Item>
            ))}
          </List>
        )}
        {failure !== null && <FailureNotice error={failure} />}
        <Button variant="default" disabled={missing.length > 0} onClick={onDryRun}>
          Dry run
        </Button>
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          disabled={missing.length > 0}
          loading={busy}
          onClick={onStart}
        >
          {starts}
        </Button>
      </Stack>
    </Paper>
  )
}

/** The totals of the dry run, beside the button that starts the run. */
function DryRunTotals({ plan }: { readonly plan: RunPlan }) {
  const { data, error } = useRead('dryRunTest', { ...dryRunRequest(plan), limit: 1 })
  if (error) return null
  return (
    <Text size="sm" role="status">
      {data === undefined
        ? 'Working out what would be sent …'
        : `${countOf(data.requests, 'request')} in ${countOf(data.planned, 'check')}, ${aboutText(data.seconds)}; ${countOf(data.skipped, 'check')} skipped.`}
    </Text>
  )
}

/** Says when tests that need another identity will come to no verdict. */
function MissingCredentials() {
  const { data: attacker } = useRead('fetchAuthMechanismData', {})
  const { data } = useRead('fetchTestRoles', {})
  const roles = data?.testRoles ?? []
  const without = roles.filter(
    (role) => role.authWithCondList.length === 0 && role.endpointLogicalGroup.testingEndpoints.type !== 'ALL',
  )
  if (attacker === undefined || data === undefined) return null
  if (attacker.authMechanism !== null && without.length === 0) {
    return (
      <Text size="sm">
        Credentials of the attacker are stored
        {roles.length > 1 ? `, and ${countOf(roles.length - 1, 'further role')}` : ''}.
      </Text>
    )
  }
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Credentials are missing" p="sm">
      <Text size="sm">
        {attacker.authMechanism === null &&
          'No attacker is stored: tests that act as another user cannot reach a verdict. '}
        {without.length > 0 && `Without credentials: ${without.map((role) => role.name).join(', ')}. `}
        <Anchor component={Link} to="/settings/roles" size="sm" underline="always" c="inherit">
          Store credentials
        </Anchor>
      </Text>
    </Alert>
  )
}
