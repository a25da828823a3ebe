import {
  ActionIcon,
  Button,
  Code,
  Group,
  Paper,
  Stack,
  Table,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core'
import { IconApi, IconKey, IconPencil, IconShare, IconTrash, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import type { TestRole } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { useWrite } from '../../../data/use-operation.ts'
import { useOwnUser } from '../../../data/use-own-user.ts'
import { conditionsDraftOf } from './conditions-draft.ts'
import { ConditionsList } from './conditions-list.tsx'
import type { Credential } from './credential-draft.ts'
import { GuidedLoginDialog } from './guided-login-dialog.tsx'
import { RoleConditionsDialog, RoleCredentialDialog } from './role-dialogs.tsx'
import { ShareRoleDialog } from './share-role-dialog.tsx'
import { TryLoginDialog } from './try-login-dialog.tsx'

const kindWords: Record<string, string> = {
  HARDCODED: 'fixed value',
  LOGIN_REQUEST: 'login by requests',
  DIGEST_AUTH: 'digest',
  SAMPLE_DATA: 'from samples',
  TLS_AUTH: 'client certificate',
}

type Open = 'guide' | 'credential' | 'endpoints' | 'share' | 'delete'

/** A role with its credentials; their secrets stand hidden. */
export function RoleCard({ role, mayWrite }: { role: TestRole; mayWrite: boolean }) {
  const isSystem = role.endpointLogicalGroup.testingEndpoints.type === 'ALL'
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const name = isSystem ? 'Attacker' : role.name
  const conditions = conditionsDraftOf(role.endpointLogicalGroup.testingEndpoints)
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2}>{name}</Title>
          {isSystem ? (
            <Text size="sm" c="dimmed">
              Another user of the API: with these credentials, tests request objects that this user must not
              access.
            </Text>
          ) : (
            <ConditionsList conditions={conditions} />
          )}
          <SharedWith ids={role.apiCollectionIds ?? []} />
        </div>
        {mayWrite && <RoleActions name={name} isSystem={isSystem} onOpen={setOpen} />}
      </Group>
      {role.authWithCondList.length === 0 ? (
        <Text size="sm">
          <Tag tone="orange">no credential</Tag> Tests that need this role cannot reach a verdict.
        </Text>
      ) : (
        <CredentialTable role={role} name={name} mayWrite={mayWrite} />
      )}
      {open === 'guide' && (
        <GuidedLoginDialog roleName={role.name} name={name} isAttacker={isSystem} onClose={close} />
      )}
      {open === 'credential' && (
        <RoleCredentialDialog roleName={role.name} isAttacker={isSystem} onClose={close} />
      )}
      {open === 'endpoints' && (
        <RoleConditionsDialog roleName={role.name} start={conditions} onClose={close} />
      )}
      {open === 'share' && (
        <ShareRoleDialog
          roleName={role.name}
          name={name}
          sharedWith={role.apiCollectionIds ?? []}
          onClose={close}
        />
      )}
      {open === 'delete' && <DeleteRole roleName={role.name} onClose={close} />}
    </Paper>
  )
}

/** Names the collections whose people may use a role. */
function SharedWith({ ids }: { ids: readonly number[] }) {
  const { names } = useCollectionNames()
  if (ids.length === 0) return null
  return (
    <Text size="sm" c="dimmed">
      Shared with people of {ids.map((id) => names.get(id) ?? `collection ${id}`).join(', ')}
    </Text>
  )
}

interface RoleActionsProps {
  readonly name: string
  /** The role of the system can neither be deleted nor limited to endpoints. */
  readonly isSystem: boolean
  readonly onOpen: (open: Open) => void
}

function RoleActions({ name, isSystem, onOpen }: RoleActionsProps) {
  // Anyone who sees only some collections cannot say who else uses a role.
  const mayShare = useOwnUser()?.collectionIds === null
  return (
    <Group gap="xs">
      <Button
        size="xs"
        leftSection={<IconWand size={14} />}
        aria-label={`Set up a login of ${name}`}
        onClick={() => onOpen('guide')}
      >
        Set up a login
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconKey size={14} />}
        onClick={() => onOpen('credential')}
      >
        {isSystem ? 'Set the credential' : 'Add a credential'}
      </Button>
      {mayShare && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconShare size={14} />}
          aria-label={`Share ${name}`}
          onClick={() => onOpen('share')}
        >
          Share
        </Button>
      )}
      {!isSystem && (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconApi size={14} />}
            aria-label={`Change the endpoints of ${name}`}
            onClick={() => onOpen('endpoints')}
          >
            Endpoints
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={14} />}
            onClick={() => onOpen('delete')}
          >
            Delete
          </Button>
        </>
      )}
    </Group>
  )
}

function DeleteRole({ roleName, onClose }: { roleName: string; onClose: () => void }) {
  const remove = useWrite('deleteTestRole', ['fetchTestRoles'])
  return (
    <ConfirmDialog
      title={`Delete the role ${roleName}?`}
      confirmLabel="Delete the role"
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ roleName }, { onSuccess: onClose })}
    >
      Its credentials are deleted too. Tests that need the role become “not tested”.
    </ConfirmDialog>
  )
}

interface CredentialTableProps {
  readonly role: TestRole
  readonly name: string
  readonly mayWrite: boolean
}

function CredentialTable({ role, name, mayWrite }: CredentialTableProps) {
  const remove = useWrite('deleteAuthFromRole', ['fetchTestRoles', 'fetchAuthMechanismData'])
  const [doomed, setDoomed] = useState<number | null>(null)
  const [changed, setChanged] = useState<number | null>(null)
  const [tried, setTried] = useState<number | null>(null)
  const credential = changed === null ? undefined : role.authWithCondList[changed]
  return (
    <CardFrame inset label={`Credentials of ${name}`}>
      <Table aria-label={`Credentials of ${name}`} miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th>Carried in</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>Where</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {role.authWithCondList.map((credential, at) => (
            <Table.Tr key={credential.authMechanism.uuid}>
              <CredentialCells credential={credential} />
              <Table.Td ta="right">
                {mayWrite && (
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Try credential ${at + 1} of ${name}`}
                      onClick={() => setTried(at)}
                    >
                      Try
                    </Button>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Change credential ${at + 1} of ${name}`}
                      onClick={() => setChanged(at)}
                    >
                      <IconPencil size={16} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove credential ${at + 1} of ${name}`}
                      onClick={() => setDoomed(at)}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {changed !== null && credential !== undefined && (
        <RoleCredentialDialog
          roleName={role.name}
          isAttacker={role.endpointLogicalGroup.testingEndpoints.type === 'ALL'}
          changed={{ credential, index: changed }}
          onClose={() => setChanged(null)}
        />
      )}
      {tried !== null && (
        <TryLoginDialog
          roleName={role.name}
          name={name}
          index={tried}
          isRecorded={role.authWithCondList[tried]?.authMechanism.recordedLoginFlowInput !== null}
          onClose={() => setTried(null)}
        />
      )}
      {doomed !== null && (
        <ConfirmDialog
          title={`Remove this credential of ${name}?`}
          confirmLabel="Remove the credential"
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setDoomed(null)}
          onConfirm={() =>
            remove.mutate({ roleName: role.name, index: doomed }, { onSuccess: () => setDoomed(null) })
          }
        >
          Its stored secret is deleted.
        </ConfirmDialog>
      )}
    </CardFrame>
  )
}

function CredentialCells({ credential }: { credential: Credential }) {
  const { authMechanism, urlRegex, headerKVPairs } = credential
  const kind = authMechanism.type.toUpperCase()
  const isRecorded = authMechanism.recordedLoginFlowInput !== null
  const headers = Object.entries(headerKVPairs).map(([key, value]) => `${key}: ${value}`)
  const where = [...headers, ...(urlRegex ? [`URL matches ${urlRegex}`] : [])].join(', ')
  return (
    <>
      <Table.Td data-label="Kind">
        {isRecorded ? 'recorded login' : (kindWords[kind] ?? authMechanism.type)}
      </Table.Td>
      <Table.Td data-label="Carried in" style={{ overflowWrap: 'anywhere' }}>
        {authMechanism.authParams.map((one) => `${one.where.toLowerCase()} ${one.key}`).join(', ') || '–'}
      </Table.Td>
      <Table.Td data-label="Value">
        <Stack gap={4}>
          {authMechanism.authParams.map((one) => (
            <Code key={`${one.where} ${one.key}`} w="fit-content" style={{ overflowWrap: 'anywhere' }}>
              {one.value}
            </Code>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td data-label="Where" style={{ overflowWrap: 'anywhere' }}>
        {where || 'everywhere'}
      </Table.Td>
    </>
  )
}
