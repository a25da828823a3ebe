import {
  Accordion,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Paper,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useMemo, useState } from 'react'
import type { TestTemplate } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Tag } from '../../components/tag.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf } from '../../data/words.ts'
import type { RunPlan } from './run-plan.ts'

interface StepProps {
  readonly plan: RunPlan
  readonly onChange: (changes: Partial<RunPlan>) => void
}

/** True when a test holds the text in its title or id. */
export function matchesTest(test: TestTemplate, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return [test.testName, test.name].some((text) => text.toLowerCase().includes(wanted))
}

/** Tests by their categories, in the order of the names. */
export function byCategory(tests: readonly TestTemplate[]): [category: string, tests: TestTemplate[]][] {
  const groups = new Map<string, TestTemplate[]>()
  for (const test of tests) {
    const name = test.superCategory.displayName || test.superCategory.name
    groups.set(name, [...(groups.get(name) ?? []), test])
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b))
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
          {groups.length === 0 && <Text size="sm">No test has this in its name.</Text>}
          <Categories groups={groups} chosen={plan.testIds} onChoose={choose} />
        </Stack>
      )}
    </Paper>
  )
}

interface CategoriesProps {
  readonly groups: readonly [category: string, tests: TestTemplate[]][]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (tests: readonly TestTemplate[], isOn: boolean) => void
}

function Categories({ groups, chosen, onChoose }: CategoriesProps) {
  return (
    <Accordion multiple variant="contained" chevronPosition="left" order={3}>
      {groups.map(([category, tests]) => {
        const count = tests.filter((test) => chosen.has(test.name)).length
        return (
          <Accordion.Item key={category} value={category}>
            <Group wrap="nowrap" gap={0} pr="sm">
              <Accordion.Control>
                <Text size="sm" fw={600}>
                  {category}
                </Text>
                <Text size="xs" c="dimmed">
                  {count} of {countOf(tests.length, 'test')}
                </Text>
              </Accordion.Control>
              <Checkbox
                aria-label={`All of ${category}`}
                checked={count === tests.length}
                indeterminate={count > 0 && count < tests.length}
                onChange={(event) => onChoose(tests, event.currentTarget.checked)}
              />
            </Group>
            <Accordion.Panel>
              <Stack gap={6}>
                {tests.map((test) => (
                  <Group key={test.name} gap="xs" wrap="nowrap" align="flex-start">
                    <Checkbox
                      size="xs"
                      flex={1}
                      label={test.testName}
                      description={test.name}
                      checked={chosen.has(test.name)}
                      onChange={(event) => onChoose([test], event.currentTarget.checked)}
                      styles={{
                        label: { overflowWrap: 'anywhere' },
                        description: { overflowWrap: 'anywhere' },
                      }}
                    />
                    {test.attributes?.nature._name === 'INTRUSIVE' && <Tag tone="orange">changes data</Tag>}
                    <SeverityTag severity={test.superCategory.severity._name} />
                  </Group>
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        )
      })}
    </Accordion>
  )
}
