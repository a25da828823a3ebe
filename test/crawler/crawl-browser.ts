import {
  type BrowserDriver,
  type BrowserLocale,
  type CapturedExchange,
  CrawlGuard,
  type FoundBrowser,
  launchBrowser,
} from '../../src/crawler/index.ts'
import { TargetScope } from '../../src/http/sender/index.ts'

/** Starts a browser that reaches nothing but one origin. */
export function startCrawlBrowser(
  found: FoundBrowser,
  origin: string,
  locale?: BrowserLocale,
): Promise<BrowserDriver> {
  const url = new URL(origin)
  return launchBrowser({ found, hosts: [url], scope: new TargetScope([url.host]), verifiesTls: true, locale })
}

/** A guard for one origin: `/excluded` is left out, and what destroys something is held back. */
export function portalGuard(origin: string, headers: Record<string, string> = {}): CrawlGuard {
  const { host } = new URL(origin)
  return new CrawlGuard({
    scope: {
      hasHost: (url) => url.host === host,
      judge: (url) =>
        url.host !== host
          ? { accepted: false, reason: 'other host' }
          : url.pathname.startsWith('/excluded')
            ? { accepted: false, reason: 'out of scope: /excluded' }
            : { accepted: true, reason: '' },
    },
    targets: new TargetScope([host]),
    changes: {
      holds: ({ url, method }) =>
        method === 'DELETE' || /logout|delete/.test(url.pathname) ? 'it changes something' : null,
      heard() {},
    },
    headers,
    requestsPerMinute: 0,
  })
}

/** Keeps what was captured. */
export class CapturedList {
  readonly all: CapturedExchange[] = []

  captured(exchange: CapturedExchange): void {
    this.all.push(exchange)
  }

  /** Those of one path, with method. */
  of(path: string): CapturedExchange[] {
    return this.all.filter(({ url }) => new URL(url).pathname === path)
  }

  /** The only one of a path. */
  one(path: string): CapturedExchange {
    const found = this.of(path)
    if (found.length !== 1) throw new Error(`${found.length} exchanges for ${path}`)
    return found[0]!
  }
}
