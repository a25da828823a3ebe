import { Button, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import type { TestResult } from '../../../contract/browser.ts'
import { useRead } from '../../data/use-operation.ts'

/** Results that are paged through; those beyond are reached from the list. */
const mostResults = 500

/** The findings before and after this one in its execution, the worst first; also by the keys p and n. */
export function Neighbours({ result }: { result: TestResult }) {
  const navigate = useNavigate()
  const { data } = useRead(
    'fetchTestingRunResults',
    {
      testingRunResultSummaryHexId: result.testRunResultSummaryHexId,
      queryMode: 'VULNERABLE',
      queryValue: '',
      sortKey: 'severity',
      sortOrder: -1,
      limit: mostResults,
      skip: 0,
    },
    { enabled: result.vulnerable },
  )
  const ids = data?.testingRunResults?.map(({ hexId }) => hexId) ?? []
  const at = ids.indexOf(result.hexId)
  const [before, after] = at < 0 ? [undefined, undefined] : [ids[at - 1], ids[at + 1]]
  const open = (id: string | undefined) => id !== undefined && void navigate(`/results/${id}`)
  useHotkeys([
    ['p', () => open(before)],
    ['n', () => open(after)],
  ])
  if (at < 0 || ids.length < 2) return null
  return (
    <Group gap={4} wrap="nowrap">
      <Step id={before} label="Previous" hotkey="p" icon={<IconChevronLeft size={16} />} />
      <Step id={after} label="Next" hotkey="n" icon={<IconChevronRight size={16} />} />
    </Group>
  )
}

interface StepProps {
  readonly id: string | undefined
  readonly label: string
  readonly hotkey: string
  readonly icon: React.ReactNode
}

function Step({ id, label, hotkey, icon }: StepProps) {
  const title = `${label} finding of this execution (key ${hotkey})`
  if (id === undefined) {
    return (
      <Button variant="default" leftSection={icon} disabled title={title}>
        {label}
      </Button>
    )
  }
  return (
    <Button
      component={Link}
      to={`/results/${id}`}
      variant="default"
      leftSection={icon}
      title={title}
      aria-keyshortcuts={hotkey}
    >
      {label}
    </Button>
  )
}
