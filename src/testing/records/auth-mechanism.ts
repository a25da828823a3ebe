import { randomUUID } from 'node:crypto'
import { newHexId, nowSeconds, type Sealer } from '../../kit/index.ts'
import type { Store, StoreClient } from '../../store/index.ts'

/** One value that authenticates, and where it goes: HEADER, BODY or TLS. */
export interface AuthParameter {
  where: string
  key: string
  value: string
  showHeader: boolean
}

/** A recorded login and what it yields. */
export interface LoginFlow {
  content: string
  tokenFetchCommand: string
  outputFilePath: string | null
  errorFilePath: string | null
  tokenResult: string | null
}

/** How tests authenticate. */
export interface AuthMechanismView {
  id: string
  uuid: string
  /** HARDCODED, LOGIN_REQUEST, DIGEST_AUTH, TLS_AUTH or SAMPLE_DATA as the client wrote it; case does not count. */
  type: string
  parameters: AuthParameter[]
  /** Steps of a login by requests. */
  steps: Record<string, unknown>[] | null
  flow: LoginFlow | null
  /** When a fetched token ends; 0 without one. */
  tokenExpiresAt: number
  collectionIds: number[] | null
  /** Login of who gave it. */
  author: string
}

/** What a person gives. */
export type NewAuthMechanism = Pick<AuthMechanismView, 'type' | 'parameters' | 'steps' | 'flow'>

/** The columns that {@link openMechanism} reads, for `auth_mechanisms m`. */
export const MECHANISM_COLUMNS = `m.id AS mechanism_id, m.uuid, m.type, m.sealed_parameters, m.sealed_steps,
  m.sealed_flow, m.token_expires_at, m.collection_ids, m.updated_by`

export interface MechanismRow {
  mechanism_id: string
  uuid: string
  type: string
  sealed_parameters: string
  sealed_steps: string | null
  sealed_flow: string | null
  token_expires_at: number
  collection_ids: number[] | null
  updated_by: string
}

function purposeOf(id: string): string {
  return `auth-mechanism:${id}`
}

/** The mechanism with its secrets opened. @throws Failure SEAL_BROKEN */
export function openMechanism(row: MechanismRow, sealer: Sealer): AuthMechanismView {
  const open = <T>(sealed: string | null): T | null =>
    sealed === null ? null : (JSON.parse(sealer.open(sealed, purposeOf(row.mechanism_id))) as T)
  return {
    id: row.mechanism_id,
    uuid: row.uuid,
    type: row.type,
    parameters: open<AuthParameter[]>(row.sealed_parameters) ?? [],
    steps: open<Record<string, unknown>[]>(row.sealed_steps),
    flow: open<LoginFlow>(row.sealed_flow),
    tokenExpiresAt: row.token_expires_at,
    collectionIds: row.collection_ids,
    author: row.updated_by,
  }
}

/** Inserts a mechanism in the caller's transaction; @returns its id. */
export async function insertMechanism(
  client: StoreClient,
  sealer: Sealer,
  mechanism: NewAuthMechanism,
  login: string,
): Promise<string> {
  const id = newHexId()
  const seal = (value: unknown): string | null =>
    value === null ? null : sealer.seal(JSON.stringify(value), purposeOf(id))
  await client.query(
    `INSERT INTO auth_mechanisms (id, uuid, type, sealed_parameters, sealed_steps, sealed_flow, updated_by, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      randomUUID(),
      mechanism.type,
      seal(mechanism.parameters),
      seal(mechanism.steps),
      seal(mechanism.flow),
      login,
      nowSeconds(),
    ],
  )
  return id
}

/** Keeps a token that a login yielded, sealed, until it ends. */
export async function keepToken(
  store: Store,
  sealer: Sealer,
  mechanismId: string,
  token: string,
  expiresAt: number,
): Promise<void> {
  await store.pool.query(
    'UPDATE auth_mechanisms SET sealed_token = $2, token_expires_at = $3 WHERE id = $1',
    [mechanismId, sealer.seal(token, purposeOf(mechanismId)), expiresAt],
  )
}

/** The kept token while it is valid for `marginSeconds` more; null otherwise. */
export async function keptToken(
  store: Store,
  sealer: Sealer,
  mechanismId: string,
  marginSeconds: number,
): Promise<string | null> {
  const { rows } = await store.pool.query<{ sealed_token: string | null }>(
    'SELECT sealed_token FROM auth_mechanisms WHERE id = $1 AND token_expires_at > $2',
    [mechanismId, nowSeconds() + marginSeconds],
  )
  const sealed = rows[0]?.sealed_token ?? null
  return sealed === null ? null : sealer.open(sealed, purposeOf(mechanismId))
}
