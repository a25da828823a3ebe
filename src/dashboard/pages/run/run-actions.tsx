import { Button, Text } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { TestRun } from '../../../contract/browser.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyFailure } from '../../components/feedback/notify-failure.ts'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { useRunAgain } from '../../data/use-run-again.ts'
import { runName } from '../runs/columns.tsx'

/** Stop, run again, delete: what can be done with a run in its state. */
export function RunActions({ run }: { run: TestRun }) {
  const stop = useWrite('stopTest')
  const again = useRunAgain()
  const [deleting, setDeleting] = useState(false)
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
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {deleting && <DeleteDialog run={run} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteDialog({ run, onClose }: { run: TestRun; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useWrite('deleteTestRuns', ['retrieveAllCollectionTests'])
  return (
    <ConfirmDialog
      title={`Delete ${runName(run)}?`}
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
      <Text size="sm">Its executions, results and their evidence go with it. Issues stay.</Text>
    </ConfirmDialog>
  )
}
