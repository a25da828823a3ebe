import { Failure, hasRole, type Settings } from '../kit/index.ts'

/** What every process answers, whatever it does. */
const ALWAYS: ReadonlySet<string> = new Set(['/health', '/metrics'])
/** What brings live traffic in. */
const INGEST: ReadonlySet<string> = new Set([
  '/api/ingestData',
  '/api/otlp/v1/traces',
  '/api/threat_detection/record_malicious_event',
])

/**
 * Refuses what another process of the installation serves.
 *
 * @throws Failure ROLE_ABSENT
 */
export function requireRole(settings: Settings, url: string): void {
  if (hasRole(settings, 'serve')) return
  const path = url.split('?', 1)[0]!
  if (ALWAYS.has(path) || (INGEST.has(path) && hasRole(settings, 'ingest'))) return
  throw new Failure('ROLE_ABSENT', { roles: settings.roles.join(', ') })
}
