import { Button, Group, ScrollArea, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { TestSuite, TestTemplate } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { byCategory, matchesTest, TestCategories } from '../../components/testing/test-categories.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useWrite } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf } from '../../data/words.ts'

/** Makes a suite, or changes name and tests of one. */
export function SuiteDialog({ suite, onClose }: { suite: TestSuite | null; onClose: () => void }) {
  const create = useWrite('createTestSuite', ['fetchAllTestSuites'])
  const change = useWrite('modifyTestSuite', ['fetchAllTestSuites'])
  const [name, setName] = useState(suite?.name ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(suite?.subCategoryList))
  const write = suite === null ? create : change
  const save = () => {
    const body = { testSuiteName: name.trim(), subCategoryList: [...chosen] }
    if (suite === null) create.mutate(body, { onSuccess: onClose })
    else change.mutate({ ...body, testSuiteHexId: suite.hexId }, { onSuccess: onClose })
  }
  return (
    <Dialog onClose={onClose} title={suite === null ? 'New suite' : `Change ${suite.name}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={100}
            placeholder="before a release"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <TestChooser chosen={chosen} onChoose={setChosen} />
          {write.error && <FailureNotice error={write.error} />}
          <Group justify="flex-end">
            <Text size="sm" mr="auto" aria-live="polite">
              {countOf(chosen.size, 'test')} chosen
            </Text>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={write.isPending} disabled={chosen.size === 0}>
              {suite === null ? 'Create suite' : 'Save the suite'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface TestChooserProps {
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

function TestChooser({ chosen, onChoose }: TestChooserProps) {
  const { data, error, refetch } = useTests()
  const [search, setSearch] = useState('')
  const groups = useMemo(
    () => byCategory(data?.tests.filter((test) => !test.inactive && matchesTest(test, search)) ?? []),
    [data, search],
  )
  const choose = (tests: readonly TestTemplate[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const test of tests) {
      if (isOn) next.add(test.name)
      else next.delete(test.name)
    }
    onChoose(next)
  }
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={160} />
  return (
    <>
      <SearchField label="Search tests" value={search} onSearch={setSearch} />
      <ScrollArea.Autosize mah={340} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Tests' }}>
        {groups.length === 0 && <Text size="sm">No test matches the search.</Text>}
        <TestCategories groups={groups} chosen={chosen} onChoose={choose} />
      </ScrollArea.Autosize>
    </>
  )
}
