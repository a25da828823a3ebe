import { Group, Progress, Stack, Text } from '@mantine/core'
import type { TestRunSummary } from '../../../contract/browser.ts'
import { type PlainKey, t } from '../../i18n/translate.ts'
import { Tag, type TagTone } from '../tag.tsx'

const looks: Readonly<Record<string, { word: PlainKey; tone: TagTone }>> = {
  SCHEDULED: { word: 'run.scheduled', tone: 'gray' },
  RUNNING: { word: 'run.running', tone: 'blue' },
  COMPLETED: { word: 'run.completed', tone: 'green' },
  STOPPED: { word: 'run.stopped', tone: 'orange' },
  FAILED: { word: 'run.failed', tone: 'red' },
}

/** The state of a run or an execution in a word. */
export function RunStateTag({ state }: { state: string }) {
  const look = looks[state]
  return <Tag tone={look?.tone ?? 'gray'}>{look === undefined ? state : t(look.word)}</Tag>
}

/** True while a run waits or works, so that its numbers change on their own. */
export function isUnderWay(state: string): boolean {
  return state === 'RUNNING' || state === 'SCHEDULED'
}

/** Pairs of test and endpoint: those with a result, and all. The second is 0 until the execution has been planned. */
function pairsOf(summary: Pick<TestRunSummary, 'testResultsCount' | 'totalApis' | 'testInitiatedCount'>) {
  return { done: summary.testResultsCount, all: summary.totalApis * summary.testInitiatedCount }
}

/** How far an execution has come: a bar and the numbers behind it. */
export function RunProgress({ summary, label }: { summary: TestRunSummary; label: string }) {
  const { done, all } = pairsOf(summary)
  const percent = all === 0 ? 0 : Math.min(100, Math.floor((done * 100) / all))
  return (
    <Stack gap={2} miw={130}>
      <Progress value={percent} size="sm" aria-label={t('run.percent', { label, percent })} animated />
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {all === 0 ? t('run.planning') : t('run.checks', { done, all })}
        </Text>
        {all > 0 && <Text size="xs">{percent} %</Text>}
      </Group>
    </Stack>
  )
}
