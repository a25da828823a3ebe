import { crawlCases } from './crawl-cases.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('from a form to a crawl that is over', crawlCases)
