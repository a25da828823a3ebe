import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { predicateTypes, type RequestBodyOf } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { type Credential, type CredentialDraft, credentialOf, draftOf } from './credential-draft.ts'
import { CredentialForm } from './credential-form.tsx'

const roleReads = ['fetchTestRoles', 'fetchAuthMechanismData'] as const

/** Words of the conditions of a role on URLs. */
export const predicateWords: Record<string, string> = {
  REGEX: 'matches the pattern',
  STARTS_WITH: 'starts with',
  ENDS_WITH: 'ends with',
  EQUALS_TO: 'is',
  CONTAINS: 'contains',
  IS_NUMBER: 'is a number',
  BELONGS_TO: 'is one of',
  NOT_BELONGS_TO: 'is none of',
}

/** Makes a role: a name, and which endpoints it may call. */
export function CreateRoleDialog({ onClose }: { onClose: () => void }) {
  const create = useWrite('addTestRoles', roleReads)
  const [kind, setKind] = useState<string | null>(null)
  return (
    <Dialog onClose={onClose} title="New role">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const orConditions =
            kind === null
              ? null
              : ({
                  operator: 'OR',
                  predicates: [{ type: kind, value: String(fields.get('value')) }],
                } as RequestBodyOf<'addTestRoles'>['orConditions'])
          create.mutate({ roleName: String(fields.get('name')).trim(), orConditions }, { onSuccess: onClose })
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            name="name"
            description="As tests call it: MEMBER and ADMIN are the usual ones."
            required
            maxLength={100}
            data-autofocus
          />
          <Select
            label="May call endpoints whose URL"
            description="Tests of functions ask which endpoints belong to a role. Empty: all."
            placeholder="All"
            data={predicateTypes.map((type) => ({ value: type, label: predicateWords[type] ?? type }))}
            value={kind}
            onChange={setKind}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear: condition' }}
          />
          {kind !== null && kind !== 'IS_NUMBER' && (
            <TextInput label="Text" name="value" required maxLength={1000} />
          )}
          {create.error && <FailureNotice error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Make the role
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
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
    const { type, parameters, steps, flow } = credentialOf(draft)
    const body = {
      roleName,
      apiCond: { ...draft.headerPairs },
      authParamData: parameters,
      authAutomationType: type,
      reqData: steps,
      recordedLoginFlowInput: flow,
      urlRegex: draft.urlRegex.trim() || null,
    }
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
