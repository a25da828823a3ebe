import { percentDecoded } from '../../kit/index.ts'
import { type OutscopeRule, readOutscopeRule } from './outscope.ts'
import { readUrlTemplate, type UrlTemplate } from './url-template.ts'

/** What a scope is made of: the fields of a crawl, already split. */
interface ScopeInput {
  /** Absolute http or https URL. */
  readonly start: string
  readonly outscope: readonly string[]
  readonly templates: readonly string[]
  /** Further `host` or `host:port`. */
  readonly hosts?: readonly string[]
}

/** Whether a URL may be visited, and why not. */
interface ScopeVerdict {
  readonly accepted: boolean
  /** `other host`, `out of scope: <entry>`, `scheme`, `malformed`; '' when accepted. */
  readonly reason: string
}

const accepted: ScopeVerdict = { accepted: true, reason: '' }

/**
 * Where a crawl may go: host and port of the start, hosts that were named, without what `outscopeUrls` leaves out. Paths
 * are judged as they are and as the route in a fragment (`#/admin`), decoded.
 */
export class CrawlScope {
  readonly #authorities: ReadonlySet<string>
  readonly #rules: readonly OutscopeRule[]
  readonly #templates: readonly UrlTemplate[]

  private constructor(
    authorities: ReadonlySet<string>,
    rules: readonly OutscopeRule[],
    templates: readonly UrlTemplate[],
  ) {
    this.#authorities = authorities
    this.#rules = rules
    this.#templates = templates
  }

  /** Reads a scope. @returns it, or what is wrong with an entry, for people */
  static read(input: ScopeInput): CrawlScope | string {
    if (!URL.canParse(input.start)) return `start: not a URL: ${input.start.slice(0, 200)}`
    const start = new URL(input.start)
    if (!isHttp(start)) return `start: not http or https: ${input.start.slice(0, 200)}`
    const rules: OutscopeRule[] = []
    for (const entry of input.outscope) {
      const rule = readOutscopeRule(entry)
      if (typeof rule === 'string') return `outscopeUrls: ${entry.slice(0, 100)}: ${rule}`
      rules.push(rule)
    }
    const templates: UrlTemplate[] = []
    for (const entry of input.templates) {
      const template = readUrlTemplate(entry)
      if (typeof template === 'string') return `urlTemplatePatterns: ${entry.slice(0, 100)}: ${template}`
      templates.push(template)
    }
    const authorities = new Set([authorityOf(start)])
    for (const host of input.hosts ?? []) {
      const text = `${start.protocol}//${host}`
      if (!URL.canParse(text)) return `hosts: not a host: ${host.slice(0, 100)}`
      authorities.add(authorityOf(new URL(text)))
    }
    return new CrawlScope(authorities, rules, templates)
  }

  /** Whether this URL belongs to the crawl. */
  judge(url: URL | string): ScopeVerdict {
    if (typeof url === 'string' && !URL.canParse(url)) return { accepted: false, reason: 'malformed' }
    const target = typeof url === 'string' ? new URL(url) : url
    if (!/^(https?|wss?):$/.test(target.protocol)) return { accepted: false, reason: 'scheme' }
    if (!this.#authorities.has(authorityOf(target))) return { accepted: false, reason: 'other host' }
    const route = routeOf(target)
    for (const rule of this.#rules) {
      if (
        rule.matches(percentDecoded(target.pathname), target.href) ||
        (route && rule.matches(route, target.href))
      ) {
        return { accepted: false, reason: `out of scope: ${rule.text}` }
      }
    }
    return accepted
  }

  /** Whether host and port belong to the crawl, whatever the path. */
  hasHost(url: URL): boolean {
    return this.#authorities.has(authorityOf(url))
  }

  /** Text of the first template that the path, or the route in the fragment, fits; null without. */
  templateOf(url: URL): string | null {
    const route = routeOf(url)
    const found = this.#templates.find(
      (template) => template.matches(url.pathname) || (route !== '' && template.matches(route)),
    )
    return found?.text ?? null
  }
}

/** Route that a fragment carries (`#/basket`, `#!/basket`, `#!basket`) without its query; '' without. */
function routeOf(url: URL): string {
  const match = /^#(?:!\/?|\/)([^?]*)/.exec(url.hash)
  return match ? percentDecoded(`/${match[1]!}`) : ''
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

/** Host and port; web sockets have the ports of their http relatives. */
function authorityOf(url: URL): string {
  const secure = url.protocol === 'https:' || url.protocol === 'wss:'
  return `${url.hostname}:${url.port || (secure ? '443' : '80')}`
}
