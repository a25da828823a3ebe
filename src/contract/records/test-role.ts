import type { Static } from 'typebox'
import {
  either,
  epochSeconds,
  integer,
  list,
  mapOf,
  model,
  nullable,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { rolePredicateTypes } from '../vocabulary.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'
import { authMechanism, authParam, recordedLoginFlow } from './auth-mechanism.ts'
import { endpointKey } from './endpoint-key.ts'
import { objectId } from './object-id.ts'

const rolePredicate = model('RolePredicate', 'One condition of a test role on an endpoint.', {
  type: oneOf(rolePredicateTypes),
  value: either(
    text({ description: 'What the URL is compared with.' }),
    list(endpointKey, { description: 'Endpoints, for BELONGS_TO and NOT_BELONGS_TO.' }),
  ),
})

export const roleConditions = model('RoleConditions', 'Conditions of a test role, joined.', {
  operator: oneOf(['AND', 'OR']),
  predicates: list(rolePredicate),
})

const roleAuth = model('RoleAuth', 'One authentication of a test role and when it applies.', {
  authMechanism,
  headerKVPairs: mapOf(text(), { description: 'Request headers that must match; {} for the default entry.' }),
  urlRegex: nullable(text({ description: 'Pattern the URL must match; null for the default entry.' })),
  recordedLoginFlowInput: nullable(recordedLoginFlow),
})

const roleGroup = model('RoleGroup', 'The endpoints a test role may call.', {
  id: objectId,
  groupName: text(),
  createdBy: text({ description: 'E-mail address, or System.' }),
  createdTs: epochSeconds(),
  updatedTs: epochSeconds(),
  testingEndpoints: model('RoleEndpoints', 'The conditions of a test role on endpoints.', {
    type: text({ description: 'LOGICAL_GROUP, or ALL for the role of the system.' }),
    operator: oneOf(['AND', 'OR']),
    andConditions: nullable(roleConditions),
    orConditions: nullable(roleConditions),
  }),
})

const testRole = model('TestRole', 'Somebody a test can act as: credentials and endpoints.', {
  id: objectId,
  hexId: text({ description: 'Identifier, as testRoleId takes it.' }),
  name: text({ description: 'Unique name; ATTACKER_TOKEN_ALL is the role of the system.' }),
  endpointLogicalGroupId: objectId,
  authWithCondList: list(roleAuth, { description: 'The entry without conditions is the default.' }),
  endpointLogicalGroup: roleGroup,
  createdBy: text({ description: 'E-mail address, or System.' }),
  createdTs: epochSeconds(),
  lastUpdatedTs: epochSeconds(),
  lastUpdatedBy: nullable(text()),
  apiCollectionIds: nullable(list(integer())),
  scopeRoles: nullable(
    list(text(), {
      description: 'Roles of users who may see it; null for everyone. Administrators always may.',
    }),
  ),
})

export const testRoleObject = wideRecord(
  'TestRoleObject',
  'Shared answer of the operations about test roles.',
  {
    testRoles: filled(list(testRole), null),
    selectedRole: filled(testRole, null),
    ...filledEach(['roleName', 'authAutomationType', 'urlRegex'], text(), null),
    ...filledEach(['andConditions', 'orConditions'], roleConditions, null),
    authParamData: filled(list(authParam), null),
    reqData: filled(list(openObject()), null),
    recordedLoginFlowInput: filled(recordedLoginFlow, null),
    scopeRoles: filled(list(text()), null),
  },
)

export type TestRole = Static<typeof testRole>
