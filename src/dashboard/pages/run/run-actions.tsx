import { Button, Text } from '@mantine/core'
import {
  IconCalendarClock,
  IconFileTypePdf,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { TestRun, TestRunSummary } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { useReport } from '../../data/use-report.ts'
import { useRunAgain } from '../../data/use-run-again.ts'
import { runName } from '../runs/columns.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'

/** Stop, run again, schedule, delete: what can be done with a run in its state. */
export function RunActions({ run }: { run: TestRun }) {
  const stop = useWrite('stopTest')
  const again = useRunAgain()
  const [open, setOpen] = useState<'delete' | 'schedule' | null>(null)
  return (
    <>
      {isUnderWay(run.state) ? (
        <Button
          color="red.8"
          leftSection={<IconPlayerStop size={16} />}
          loading={stop.isPending}
          onClick={() => stop.mutate({ testingRunHexId: run.hexId }, { onError: notifyFailure })}
        >
          Stop
        </Button>
      ) : (
        <Button
          leftSection={run.periodInSeconds === 0 ? <IconRefresh size={16} /> : <IconPlayerPlay size={16} />}
          loading={again.isPending}
          onClick={() => again.mutate(run.hexId, { onError: notifyFailure })}
        >
          Run again
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconCalendarClock size={16} />}
        onClick={() => setOpen('schedule')}
      >
        Schedule
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'schedule' && <ScheduleDialog run={run} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteDialog run={run} onClose={() => setOpen(null)} />}
    </>
  )
}

/** Makes a PDF of an execution and saves it when it is there. */
export function RunReport({ execution }: { execution: TestRunSummary }) {
  const report = useReport('run.pdf')
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={16} />}
      loading={report.isPending}
      onClick={() =>
        report.mutate({ testingRunResultSummaryId: [execution.hexId] }, { onError: notifyFailure })
      }
    >
      Report as PDF
    </Button>
  )
}

function DeleteDialog({ run, onClose }: { run: TestRun; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useWrite('deleteTestRuns', ['retrieveAllCollectionTests'])
  return (
    <ConfirmDialog
      title={`Delete the run ${runName(run)}?`}
      confirmLabel="Delete the run"
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      onConfirm={() =>
        void remove
          .mutateAsync({ testRunIds: [run.hexId] })
          .then(() => navigate('/runs'))
          // The dialog shows the refusal from the state of the write.
          .catch(() => undefined)
      }
    >
      <Text size="sm">Its executions, results and evidence are deleted too. Issues stay.</Text>
    </ConfirmDialog>
  )
}
