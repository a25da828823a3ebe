import { Button, Group, MultiSelect, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { TestTemplate } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { byCategory, matchesTest, TestCategories } from '../../components/testing/test-categories.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import type { RunPlan } from './run-plan.ts'

interface StepProps {
  readonly plan: RunPlan
  readonly onChange: (changes: Partial<RunPlan>) => void
}

/** Second step: tests, by category, by search, or as suites. */
export function TestsStep({ plan, onChange }: StepProps) {
  const { data, error, refetch } = useTests()
  const suites = useRead('fetchAllTestSuites', {})
  const [search, setSearch] = useState('')
  const active = useMemo(() => data?.tests.filter((test) => !test.inactive) ?? [], [data])
  const groups = useMemo(
    () => byCategory(active.filter((test) => matchesTest(test, search))),
    [active, search],
  )
  const choose = (tests: readonly TestTemplate[], isOn: boolean) => {
    const next = new Set(plan.testIds)
    for (const { name } of tests) {
      if (isOn) next.add(name)
      else next.delete(name)
    }
    onChange({ testIds: next })
  }
  const harmless = active.filter((test) => test.attributes?.nature._name !== 'INTRUSIVE')
  return (
    <Paper withBorder p="md" component="section" aria-label="Tests">
      <Title order={2} mb="sm">
        2. Tests
      </Title>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={160} />}
      {data && (
        <Stack gap="sm">
          <Group gap="xs">
            <SearchField label="Search tests" value={search} onSearch={setSearch} />
            <Button size="xs" variant="default" onClick={() => choose(active, true)}>
              All {active.length}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange({ testIds: new Set(harmless.map((test) => test.name)) })}
            >
              Only those that change nothing
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={plan.testIds.size === 0}
              onClick={() => onChange({ testIds: new Set() })}
            >
              None
            </Button>
          </Group>
          {(suites.data?.testSuiteList.length ?? 0) > 0 && (
            <MultiSelect
              label="Test suites"
              description="Their tests run in place of those chosen below."
              data={suites.data?.testSuiteList.map((one) => ({ value: one.hexId, label: one.name })) ?? []}
              value={[...plan.suiteIds]}
              onChange={(suiteIds) => onChange({ suiteIds })}
              clearable
              clearButtonProps={{ 'aria-label': 'Clear: test suites' }}
            />
          )}
          {groups.length === 0 && <Text size="sm">No test matches the search.</Text>}
          <TestCategories groups={groups} chosen={plan.testIds} onChoose={choose} />
        </Stack>
      )}
    </Paper>
  )
}
