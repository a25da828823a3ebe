import type { AuthMechanism, TestRole } from '../../../contract/index.ts'
import { nowSeconds, renderObjectId } from '../../../kit/index.ts'
import {
  type AuthMechanismView,
  attackerRole,
  findRole,
  isDefault,
  maskCredential,
  mayUseRole,
  type TestRoleView,
} from '../../../testing/index.ts'
import type { App, Caller } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'

/** A fetched token counts as valid while it lasts this many seconds more. */
const TOKEN_MARGIN = 30

/** How tests authenticate, on the wire; secrets are masked for everybody. */
export function wireMechanism(stored: AuthMechanismView): AuthMechanism {
  const mechanism = maskCredential(stored)
  return {
    type: mechanism.type,
    authParams: mechanism.parameters,
    uuid: mechanism.uuid,
    cacheExpired: mechanism.tokenExpiresAt <= nowSeconds() + TOKEN_MARGIN,
    apiCollectionIds: mechanism.collectionIds,
    id: renderObjectId(mechanism.id),
    requestData: mechanism.steps,
    recordedLoginFlowInput: mechanism.flow,
  }
}

/** A test role on the wire, as the caller may see it: of collections that were not granted it tells nothing. */
export function wireRole(role: TestRoleView, caller: Caller): TestRole {
  const sharedWith = role.sharedWith.filter((id) => maySee(caller, id))
  return {
    id: renderObjectId(role.id),
    hexId: role.id,
    name: role.name,
    endpointLogicalGroupId: renderObjectId(role.groupId),
    authWithCondList: role.credentials.map((entry) => {
      const authMechanism = wireMechanism(entry.mechanism)
      return {
        authMechanism,
        headerKVPairs: entry.headerPairs,
        urlRegex: entry.urlRegex,
        recordedLoginFlowInput: authMechanism.recordedLoginFlowInput,
      }
    }),
    endpointLogicalGroup: {
      id: renderObjectId(role.groupId),
      groupName: role.isSystem ? 'All' : `${role.name}_endpoint-logical-group`,
      createdBy: role.createdBy,
      createdTs: role.createdAt,
      updatedTs: role.updatedAt,
      testingEndpoints: {
        type: role.isSystem ? 'ALL' : 'LOGICAL_GROUP',
        operator: 'AND',
        andConditions:
          role.andConditions as TestRole['endpointLogicalGroup']['testingEndpoints']['andConditions'],
        orConditions:
          role.orConditions as TestRole['endpointLogicalGroup']['testingEndpoints']['orConditions'],
      },
    },
    createdBy: role.createdBy,
    createdTs: role.createdAt,
    lastUpdatedTs: role.updatedAt,
    lastUpdatedBy: role.updatedBy,
    apiCollectionIds: sharedWith.length === 0 ? null : sharedWith,
    scopeRoles: role.scopeRoles,
  }
}

/** How tests attack by default, on the wire; null for callers who may not use it. */
export async function shownMechanism(
  { store, sealer }: Pick<App, 'store' | 'sealer'>,
  caller: Caller,
): Promise<AuthMechanism | null> {
  const role = await findRole(store, sealer, attackerRole)
  const entry = role?.credentials.find(isDefault)
  return role !== undefined && entry !== undefined && mayUseRole(role, caller)
    ? wireMechanism(entry.mechanism)
    : null
}
