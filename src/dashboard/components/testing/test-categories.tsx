import { Accordion, Checkbox, Group, Stack, Text } from '@mantine/core'
import { matchesSearch, type TestTemplate } from '../../../contract/browser.ts'
import { countOf } from '../../data/words.ts'
import { Tag } from '../tag.tsx'
import { SeverityTag } from './severity-tag.tsx'

/** Whether a test is found by its id, name, category, CWE, clause of a standard or a synonym. */
export function matchesTest(test: TestTemplate, search: string): boolean {
  const { name, displayName, shortName } = test.superCategory
  const clauses = Object.values(test.compliance?.mapComplianceToListClauses ?? {}).flat()
  return matchesSearch(
    {
      id: test.name,
      name: test.testName,
      category: [name, displayName, shortName],
      references: [...test.cwe, ...test.cve, ...test.issueTags, ...clauses],
    },
    search,
  )
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

interface TestCategoriesProps {
  readonly groups: readonly [category: string, tests: TestTemplate[]][]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (tests: readonly TestTemplate[], isOn: boolean) => void
}

/** Tests to choose from, folded by category. */
export function TestCategories({ groups, chosen, onChoose }: TestCategoriesProps) {
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
