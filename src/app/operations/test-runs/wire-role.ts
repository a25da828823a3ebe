import type { AuthMechanism, TestRole } from '../../../contract/index.ts'
import { nowSeconds, renderObjectId } from '../../../kit/index.ts'
import type { AuthMechanismView, TestRoleView } from '../../../testing/index.ts'
import { maskText } from '../../../testing/index.ts'
import type { Caller } from '../../handler.ts'

/** A fetched token counts as valid while it lasts so many seconds more. */
const TOKEN_MARGIN = 30

/** How tests authenticate, on the wire; secrets are masked for guests. */
export function wireMechanism(mechanism: AuthMechanismView, caller: Caller): AuthMechanism {
  const isGuest = caller.role === 'GUEST'
  return {
    type: mechanism.type,
    authParams: mechanism.parameters.map((one) => ({
      ...one,
      value: isGuest ? maskText(one.value) : one.value,
    })),
    uuid: mechanism.uuid,
    cacheExpired: mechanism.tokenExpiresAt <= nowSeconds() + TOKEN_MARGIN,
    apiCollectionIds: mechanism.collectionIds,
    id: renderObjectId(mechanism.id),
    // Steps and recordings of a login hold its password.
    requestData: isGuest ? null : mechanism.steps,
    recordedLoginFlowInput: isGuest ? null : mechanism.flow,
  }
}

/** A test role on the wire. */
export function wireRole(role: TestRoleView, caller: Caller): TestRole {
  return {
    id: renderObjectId(role.id),
    hexId: role.id,
    name: role.name,
    endpointLogicalGroupId: renderObjectId(role.groupId),
    authWithCondList: role.credentials.map((entry) => {
      const authMechanism = wireMechanism(entry.mechanism, caller)
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
    apiCollectionIds: null,
    scopeRoles: role.scopeRoles,
  }
}

/** Whether the caller may see a role: administrators all, others those open to everyone or to their own role. */
export function maySeeRole(role: TestRoleView, caller: Caller): boolean {
  return caller.role === 'ADMIN' || role.scopeRoles === null || role.scopeRoles.includes(caller.role)
}
