import { Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TestRun } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TimeZoneField } from '../../components/time-zone-field.tsx'
import { localTime, secondsOf, shownZone } from '../../data/time-zone.ts'
import { useWrite } from '../../data/use-operation.ts'
import { rhythmOf, rhythms } from '../new-run/rhythm.ts'
import { runConcurrency, runMinutes } from '../new-run/run-limits.ts'
import { isCalendar, type Rhythm } from '../new-run/run-plan.ts'

/** What names when a run repeats; results and log of its executions stay as they are. */
const outdated = ['fetchTestingRunResultSummaries', 'retrieveAllCollectionTests'] as const

/** Changes when a run repeats, and its limits; a running execution continues as it started. */
export function ScheduleDialog({ run, onClose }: { run: TestRun; onClose: () => void }) {
  const change = useWrite('modifyTestingRunConfig', outdated)
  const [rhythm, setRhythm] = useState<Rhythm>(() => rhythmOf(run.periodInSeconds))
  const isAhead = run.state === 'SCHEDULED'
  const firstZone = run.scheduleTimeZone ?? shownZone
  const firstNext = isAhead ? localTime(run.scheduleTimestamp, firstZone) : ''
  const [zone, setZone] = useState(firstZone)
  const [next, setNext] = useState(firstNext)
  // A time that is sent is what later ones are counted from: the 31st of a month, though the next is on the 28th.
  const isMoved = isAhead && (next !== firstNext || zone !== firstZone)
  const [minutes, setMinutes] = useState<number | string>(run.testRunTime > 0 ? run.testRunTime / 60 : '')
  const [atOnce, setAtOnce] = useState<number | string>(
    run.maxConcurrentRequests > 0 ? run.maxConcurrentRequests : '',
  )
  const save = () =>
    change.mutate(
      {
        testingRunConfigId: run.testIdConfig,
        editableTestingRunConfig: {
          testingRunHexId: run.hexId,
          recurringDaily: rhythm === 'daily',
          recurringWeekly: rhythm === 'weekly',
          recurringMonthly: rhythm === 'monthly',
          continuousTesting: rhythm === 'continuous',
          scheduleTimestamp: isMoved ? secondsOf(next, zone) : 0,
          scheduleTimeZone: isCalendar(rhythm) ? zone : '',
          testRunTime: Number(minutes) > 0 ? Math.round(Number(minutes) * 60) : -1,
          maxConcurrentRequests: Number(atOnce) > 0 ? Number(atOnce) : -1,
        },
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog onClose={onClose} title="Change when and how it runs">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Stack>
          <Select
            label="Repeats"
            data={[...rhythms]}
            value={rhythm}
            allowDeselect={false}
            onChange={(value) => setRhythm((value ?? 'once') as Rhythm)}
            data-autofocus
          />
          {isAhead ? (
            <TextInput
              label="Next execution"
              type="datetime-local"
              required
              value={next}
              onChange={(event) => setNext(event.currentTarget.value)}
            />
          ) : (
            <Text size="sm" c="dimmed">
              The run rests. “Run again” starts it; what you choose here holds from then on.
            </Text>
          )}
          {(isAhead || isCalendar(rhythm)) && (
            <TimeZoneField
              description="A repeating run keeps its time of day there."
              value={zone}
              onChange={setZone}
            />
          )}
          <Group grow align="flex-end" preventGrowOverflow={false} wrap="wrap">
            <NumberInput
              label="Time limit in minutes"
              description={`Usually ${runMinutes.byDefault}.`}
              min={1}
              max={runMinutes.most}
              value={minutes}
              onChange={setMinutes}
            />
            <NumberInput
              label="Requests at once"
              description={`Usually ${runConcurrency.byDefault}.`}
              min={1}
              max={runConcurrency.most}
              allowDecimal={false}
              value={atOnce}
              onChange={setAtOnce}
            />
          </Group>
          {change.error && <FailureNotice error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save the change
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
