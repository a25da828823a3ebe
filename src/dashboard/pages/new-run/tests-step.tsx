import { Button, Group, MultiSelect, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { TestTemplate } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { byCategory, matchesTest, TestCategories } from '../../components/testing/test-categories.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { quickChoicesFor, risksOf, risksWithCounts } from './quick-choices.ts'
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
  return (
    <Paper withBorder p="md" component="section" aria-label="Tests">
      <Title order={2} mb="sm">
        2. Tests
      </Title>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={160} />}
      {data && (
        <Stack gap="sm">
          <QuickChoices active={active} chosen={plan.testIds} onChange={onChange} />
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
          <SearchField label="Search tests" value={search} onSearch={setSearch} />
          {groups.length === 0 && <Text size="sm">No test matches the search.</Text>}
          <TestCategories groups={groups} chosen={plan.testIds} onChoose={choose} />
        </Stack>
      )}
    </Paper>
  )
}

interface QuickChoicesProps {
  readonly active: readonly TestTemplate[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: StepProps['onChange']
}

/** Usual choices in one press, with the number of tests of each, and the risks of the OWASP API Top 10. */
function QuickChoices({ active, chosen, onChange }: QuickChoicesProps) {
  const [risks, setRisks] = useState<string[]>([])
  const choose = (tests: readonly TestTemplate[]) =>
    onChange({ testIds: new Set(tests.map(({ name }) => name)), suiteIds: [] })
  return (
    <Stack gap="xs">
      <Group gap="xs" role="group" aria-label="Quick choices">
        {quickChoicesFor(active).map(({ label, includes }) => {
          const tests = active.filter(includes)
          const isOn = tests.length === chosen.size && tests.every(({ name }) => chosen.has(name))
          return (
            <Button
              key={label}
              size="xs"
              variant={isOn && chosen.size > 0 ? 'filled' : 'default'}
              aria-pressed={isOn && chosen.size > 0}
              onClick={() => {
                setRisks([])
                choose(tests)
              }}
            >
              {label} ({tests.length})
            </Button>
          )
        })}
        <Button
          size="xs"
          variant="subtle"
          disabled={chosen.size === 0}
          onClick={() => {
            setRisks([])
            choose([])
          }}
        >
          Clear selection
        </Button>
      </Group>
      <MultiSelect
        label="Risks of the OWASP API Top 10"
        description="Chooses the tests of these risks."
        data={risksWithCounts(active)}
        value={risks}
        onChange={(next) => {
          setRisks(next)
          choose(active.filter((test) => risksOf(test).some((risk) => next.includes(risk))))
        }}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear: risks' }}
      />
    </Stack>
  )
}
