import { Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { IssueId, RequestBodyOf } from '../../../contract/browser.ts'
import { useWrite } from '../../data/use-operation.ts'
import { Dialog } from '../dialog.tsx'
import { FailureNotice } from '../feedback/failure-notice.tsx'
import { issueReads } from './issue-reads.ts'

type RuleScope = RequestBodyOf<'addFalsePositive'>['scope']

/** Where a rule can apply, the narrowest first. */
const ruleScopes: readonly { value: RuleScope; label: string }[] = [
  { value: 'ENDPOINT', label: 'This endpoint' },
  { value: 'COLLECTION', label: 'Every endpoint of this collection' },
  { value: 'EVERYWHERE', label: 'Every endpoint of every collection' },
]

interface FalsePositiveDialogProps {
  /** Test and endpoint of the finding; of a rule that is changed, those it was made for. */
  readonly issueId: IssueId | RequestBodyOf<'addFalsePositive'>['issueId']
  /** The rule that is changed; a new one unless given. */
  readonly rule?: { readonly ruleId: number; readonly scope: RuleScope; readonly reason: string }
  readonly onClose: () => void
}

/** Takes findings of a test for false from now on, with a reason; the rule can be changed and removed. */
export function FalsePositiveDialog({ issueId, rule, onClose }: FalsePositiveDialogProps) {
  const [scope, setScope] = useState<RuleScope>(rule?.scope ?? 'ENDPOINT')
  const [reason, setReason] = useState(rule?.reason ?? '')
  const add = useWrite('addFalsePositive', issueReads)
  const change = useWrite('updateFalsePositive', issueReads)
  const submit = () => {
    const sent = { scope, reason: reason.trim() }
    if (rule === undefined) add.mutate({ issueId, ...sent }, { onSuccess: onClose })
    else change.mutate({ ruleId: rule.ruleId, ...sent }, { onSuccess: onClose })
  }
  const error = add.error ?? change.error
  return (
    <Dialog title={rule === undefined ? 'Mark as false positive' : 'Change the rule'} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <Radio.Group
            label="Where findings of this test are false"
            description="A rule ignores the issue now, and what later runs find there. It can be changed and removed."
            value={scope}
            onChange={(value) => setScope(value as RuleScope)}
          >
            <Stack gap={6} mt={6}>
              {ruleScopes.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label="Why"
            description="At least three characters. It is kept with each issue that the rule ignores."
            required
            minLength={3}
            maxLength={900}
            autosize
            minRows={2}
            maxRows={6}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {error && <FailureNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending || change.isPending}>
              {rule === undefined ? 'Mark as false positive' : 'Save the rule'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
