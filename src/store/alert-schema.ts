import type { ColumnType, Generated } from 'kysely'

/** jsonb column: read as parsed value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>
type WithDefault<T> = ColumnType<T, T | undefined, T>
/** Severity of an issue. */
type Severity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW'

/** Where alerts go. The URL is sealed for the purpose `alert-channel:<id>`. */
export interface AlertChannelsTable {
  id: number
  user_login: string
  name: string
  sealed_url: string
  created_at: number
  kind: WithDefault<'SLACK' | 'TEAMS' | 'WEBHOOK'>
  sealed_headers: WithDefault<string | null>
  /** SHA-256 of the URL in hex. */
  url_hash: WithDefault<string>
  events: WithDefault<string[]>
  least_severity: WithDefault<Severity>
}

/** Messages to other systems, from the transaction of what they tell until they are delivered or given up. */
export interface OutgoingMessagesTable {
  id: Generated<number>
  message_id: string
  kind: 'ALERT' | 'TICKET'
  channel_id: number | null
  issue_id: number | null
  summary_id: string | null
  facts: Json<Record<string, unknown>>
  issue_ids: WithDefault<number[] | null>
  state: 'GATHERING' | 'WAITING' | 'DONE' | 'FAILED'
  attempts: WithDefault<number>
  next_at: number
  lease_until: WithDefault<number>
  trouble: WithDefault<string | null>
  created_at: number
  ended_at: WithDefault<number>
}

/** Where tickets are made. The token is sealed for the purpose `ticket-tracker:<kind>`. */
export interface TicketTrackersTable {
  kind: 'GITHUB' | 'JIRA'
  base_url: string
  login: string
  sealed_token: string
  updated_by: string
  updated_at: number
}

/** The tables of alerts and tickets, as Kysely sees them. */
export interface AlertSchema {
  alert_channels: AlertChannelsTable
  outgoing_messages: OutgoingMessagesTable
  ticket_trackers: TicketTrackersTable
}
