import { TargetScope } from '../../http/sender/index.ts'
import { Failure } from '../../kit/index.ts'

/**
 * Refuses what no crawl may reach, as far as the URL shows it; where a name leads to is seen when the crawl begins.
 *
 * @param own listeners of this installation, `address:port`; a module elsewhere has others
 * @throws Failure CRAWL_TARGET_REFUSED
 */
export function checkTarget(url: URL, own: readonly string[], allowed: readonly string[]): void {
  const scope = new TargetScope([url.host], own, allowed)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const reason =
    url.hostname === 'localhost' ? scope.checkAddress('127.0.0.1', port, url.hostname) : scope.check(url)
  if (reason !== null) throw new Failure('CRAWL_TARGET_REFUSED', { host: url.host, reason })
}
