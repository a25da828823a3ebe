import type { CrawlContext } from './crawl-context.ts'
import type { Candidate } from './harvest.ts'
import { isRouteHash, isStaticFile } from './locations.ts'
import type { PageLink, PageSurvey } from './page/survey-types.ts'

/** Queues what a page links to. @returns how many were new */
export function takeSurvey(survey: PageSurvey, context: CrawlContext): Promise<number> {
  if (survey.hasPassword) context.ports.alone?.()
  const candidates: Candidate[] = []
  for (const link of survey.links) {
    const use = purposeOf(link)
    candidates.push({
      url: link.attribute === 'routerlink' ? routedUrl(link.url, survey.url, context) : link.url,
      origin: 'link',
      use,
      sourceUrl: survey.url,
      sourceXpath: link.xpath,
      text: link.text,
      inNavigation: link.inNavigation,
    })
  }
  for (const form of survey.forms) {
    if (form.action === '' || form.method === 'DIALOG') continue
    candidates.push({
      url: form.action,
      origin: 'link',
      // Its target is reached by sending it; asking for it without fields finds less.
      use: form.method === 'GET' ? 'endpoint' : 'file',
      sourceUrl: survey.url,
      sourceXpath: form.xpath,
      text: form.text,
    })
  }
  return context.harvest.take(candidates)
}

/** Where a link of a router leads: in the fragment where the page routes there. */
function routedUrl(link: string, pageUrl: string, { harvest }: CrawlContext): string {
  if (!URL.canParse(link) || !URL.canParse(pageUrl)) return link
  const page = new URL(pageUrl)
  if (!isRouteHash(page.hash) && !harvest.usesHashRoutes(page)) return link
  const { pathname, search } = new URL(link)
  page.hash = `#${pathname}${search}`
  return page.href
}

function purposeOf(link: PageLink): Candidate['use'] {
  if (!URL.canParse(link.url) || isStaticFile(new URL(link.url))) return 'file'
  if (link.tag === 'a' || link.tag === 'area') return link.attribute === 'ping' ? 'file' : 'page'
  if (/^(iframe|frame)$/.test(link.tag)) return 'page'
  if (link.tag === 'link' && link.attribute === 'href') return 'endpoint'
  if (/^(script|img|audio|video|source|track|embed|image|use)$/.test(link.tag)) return 'endpoint'
  if (link.tag === 'form') return 'file'
  return /^(action|formaction)$/.test(link.attribute) ? 'file' : 'page'
}
