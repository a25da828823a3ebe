import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { type ConditionsDraft, conditionsOf, isComplete, noConditions } from './conditions-draft.ts'
import { ConditionsFields } from './conditions-fields.tsx'
import { type Credential, type CredentialDraft, credentialRequest, draftOf } from './credential-draft.ts'
import { CredentialForm } from './credential-form.tsx'

const roleReads = ['fetchTestRoles', 'fetchAuthMechanismData'] as const

/** Makes a role: a name, and which endpoints it may call. */
export function CreateRoleDialog({ onClose }: { onClose: () => void }) {
  const create = useWrite('addTestRoles', roleReads)
  const [name, setName] = useState('')
  const [conditions, setConditions] = useState(noConditions)
  return (
    <Dialog onClose={onClose} title="New role">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ roleName: name.trim(), ...conditionsOf(conditions) }, { onSuccess: onClose })
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="As tests call it: MEMBER and ADMIN are the usual ones."
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <ConditionsFields conditions={conditions} onChange={setConditions} />
          {create.error && <FailureNotice error={create.error} />}
          <Buttons
            label="Create role"
            busy={create.isPending}
            isReady={isComplete(conditions)}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}

interface RoleConditionsDialogProps {
  readonly roleName: string
  readonly start: ConditionsDraft
  readonly onClose: () => void
}

/** Changes which endpoints a role may call. */
export function RoleConditionsDialog({ roleName, start, onClose }: RoleConditionsDialogProps) {
  const update = useWrite('updateTestRoles', roleReads)
  const [conditions, setConditions] = useState(start)
  return (
    <Dialog onClose={onClose} title={`Endpoints of ${roleName}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ roleName, ...conditionsOf(conditions) }, { onSuccess: onClose })
        }}
      >
        <Stack>
          <ConditionsFields conditions={conditions} onChange={setConditions} />
          {update.error && <FailureNotice error={update.error} />}
          <Buttons
            label="Save the conditions"
            busy={update.isPending}
            isReady={isComplete(conditions)}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}

interface ButtonsProps {
  readonly label: string
  readonly busy: boolean
  readonly isReady: boolean
  readonly onClose: () => void
}

function Buttons({ label, busy, isReady, onClose }: ButtonsProps) {
  return (
    <>
      {!isReady && (
        <Text size="sm" c="dimmed" role="status">
          A condition has nothing to compare with yet.
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={!isReady}>
          {label}
        </Button>
      </Group>
    </>
  )
}

interface RoleCredentialDialogProps {
  readonly roleName: string
  /** The role of the system has one credential for everything. */
  readonly isAttacker: boolean
  /** The credential that is changed, with its place; a new one unless given. */
  readonly changed?: { readonly credential: Credential; readonly index: number }
  readonly onClose: () => void
}

/** Stores a credential of a role, or changes one. */
export function RoleCredentialDialog(props: RoleCredentialDialogProps) {
  const { roleName, isAttacker, changed, onClose } = props
  const add = useWrite('addAuthToRole', roleReads)
  const update = useWrite('updateAuthInRole', roleReads)
  const write = changed === undefined ? add : update
  const save = (draft: CredentialDraft) => {
    const body = { roleName, ...credentialRequest(draft) }
    if (changed === undefined) add.mutate(body, { onSuccess: onClose })
    else update.mutate({ ...body, index: changed.index }, { onSuccess: onClose })
  }
  return (
    <Dialog onClose={onClose} title={`Credential of ${isAttacker ? 'the attacker' : roleName}`}>
      <CredentialForm
        {...(changed === undefined ? {} : { start: draftOf(changed.credential) })}
        withUrl={!isAttacker}
        busy={write.isPending}
        failure={write.error}
        onCancel={onClose}
        onSave={save}
      />
    </Dialog>
  )
}
