import { CrawlScope } from '../scope/crawl-scope.ts'
import type { CrawlOptions, CrawlOutcome } from './crawl-options.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import { CrawlRun } from './crawl-run.ts'

/** The shape of {@link crawl}. */
type Crawl = (options: CrawlOptions, ports: CrawlPorts) => Promise<CrawlOutcome>

/**
 * Crawls an application. Resolves when it ended, one way or another; what was found went to the sink on the way. Options
 * that make no scope end it as failed. Rejects only on faults of ports.
 */
export const crawl: Crawl = async (options, ports) => {
  const scope = CrawlScope.read(options)
  if (typeof scope !== 'string') return new CrawlRun(options, ports, scope).run()
  return {
    end: 'failed',
    problem: scope,
    seconds: 0,
    loads: 0,
    actions: 0,
    probes: 0,
    states: 0,
    requestKinds: 0,
    avoided: 0,
    summary: null,
    warnings: [],
  }
}
