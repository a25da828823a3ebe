import type { CrawlOptions, CrawlOutcome } from './crawl-options.ts'
import type { CrawlPorts } from './crawl-ports.ts'

/**
 * Crawls an application: `crawl(options, ports)`. Resolves when it ended, one way or another; what was found went to the
 * sink on the way. Rejects only on faults of ports.
 */
export type Crawl = (options: CrawlOptions, ports: CrawlPorts) => Promise<CrawlOutcome>
