/**
 * Why a URL is none that messages may be posted to; null when it is one. Without TLS only hosts that the operator
 * named may be reached: a message and its credential would be readable on the way.
 *
 * @param allowed the setting allowedAlertTargets
 */
export function checkAlertUrl(text: string, allowed: readonly string[]): string | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return 'it is not an http or https URL'
  if (url.username !== '' || url.password !== '') return 'it holds a password'
  if (url.protocol === 'https:') return null
  const hosts = allowed.map((entry) => entry.toLowerCase())
  const isNamed =
    hosts.includes(url.host) ||
    hosts.includes(url.hostname) ||
    hosts.some((entry) => entry.startsWith('*.') && url.hostname.endsWith(entry.slice(1)))
  return isNamed ? null : 'it must be https, unless its host is named in VIGIL_ALLOWED_ALERT_TARGETS'
}
