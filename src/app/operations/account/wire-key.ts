import type { KeyRecord, NewKey } from '../../../access/index.ts'
import type { ApiToken } from '../../../contract/index.ts'
import { organisationId } from '../../organisation.ts'

/** A key as the interface shows one: in full when it is there in full, else masked. */
export function wireKey(record: KeyRecord | NewKey): ApiToken {
  return {
    id: record.id,
    accountId: organisationId,
    name: record.name,
    key: 'key' in record ? record.key : record.maskedKey,
    timestamp: record.createdAt,
    username: record.login,
    utility: record.kind,
    lastUsedTs: record.usedAt,
    expiresTs: record.expiresAt,
  }
}
