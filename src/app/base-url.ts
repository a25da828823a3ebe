import { isIPv6 } from 'node:net'
import type { Settings } from '../kit/index.ts'

/** Where people reach this installation, without a slash at the end: the setting, else host and port. */
export function baseUrlOf(settings: Settings): string {
  if (settings.baseUrl !== null) return settings.baseUrl.replace(/\/$/, '')
  return addressUrl(settings.host, settings.port)
}

/** URL of a listening address; one that means "every address" is shown as the loopback address. */
export function addressUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${isIPv6(shown) ? `[${shown}]` : shown}:${port}`
}
