import { nowSeconds } from '../kit/index.ts'
import type { Access } from './access.ts'
import { noPassword } from './password.ts'

/** Owner of the keys made at start or on the command line, before any person signed up. It cannot sign in. */
export const systemUserId = 0

/** Its login; no e-mail address, so no person can have it. */
const systemLogin = 'system'

/** Makes sure that the system user exists. */
export async function ensureSystemUser(access: Access): Promise<void> {
  await access.store.pool.query(
    `INSERT INTO users (id, login, password_hash, role, created_at) VALUES ($1, $2, $3, 'ADMIN', $4)
     ON CONFLICT (id) DO NOTHING`,
    [systemUserId, systemLogin, noPassword, nowSeconds()],
  )
}
