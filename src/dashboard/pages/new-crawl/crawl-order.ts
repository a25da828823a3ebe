import { crawlingSeconds, type RequestBodyOf } from '../../../contract/browser.ts'

/** How a crawl signs in. */
export type CrawlLogin = 'nobody' | 'form' | 'key' | 'role'

/** What the form of a new crawl holds. */
export interface CrawlDraft {
  readonly hostname: string
  readonly minutes: number
  readonly login: CrawlLogin
  readonly username: string
  readonly password: string
  readonly apiKey: string
  readonly roleId: string
  readonly applicationPages: string
  /** Texts of recorded journeys; archives in base64. */
  readonly journeys: readonly string[]
  readonly outscopeUrls: string
  readonly urlTemplatePatterns: string
  readonly collectionName: string
  readonly moduleName: string
  readonly harmfulActions: 'AVOID' | 'LAST' | 'ALLOW'
  readonly testsAfter: boolean
}

/** A form before anything is written. */
export const emptyDraft: CrawlDraft = {
  hostname: '',
  minutes: 60,
  login: 'nobody',
  username: '',
  password: '',
  apiKey: '',
  roleId: '',
  applicationPages: '',
  journeys: [],
  outscopeUrls: '',
  urlTemplatePatterns: '',
  collectionName: '',
  moduleName: '',
  harmfulActions: 'AVOID',
  testsAfter: false,
}

/** Minutes that a crawl may take. */
export const crawlMinutes = { least: crawlingSeconds.least / 60, most: crawlingSeconds.most / 60 }

/** What the draft lacks before it can be sent, for people; null when it is complete. */
export function lackOf(draft: CrawlDraft): string | null {
  if (!/^https?:\/\/.+/i.test(draft.hostname.trim()) || !URL.canParse(draft.hostname.trim()))
    return 'Enter the address of the application, with https:// or http://.'
  if (!(draft.minutes >= crawlMinutes.least && draft.minutes <= crawlMinutes.most))
    return `Choose between ${crawlMinutes.least} and ${crawlMinutes.most} minutes.`
  if (draft.login === 'form' && (draft.username.trim() === '' || draft.password === ''))
    return 'Enter user name and password, or choose another way to sign in.'
  if (draft.login === 'key' && draft.apiKey.trim() === '') return 'Enter the API key.'
  if (draft.login === 'role' && draft.roleId === '') return 'Choose a test role.'
  return null
}

/** The request of a draft: only what its way to sign in needs goes along. */
export function orderOf(draft: CrawlDraft): RequestBodyOf<'initiateCrawler'> {
  const textOrNull = (text: string): string | null => text.trim() || null
  const lines = (text: string): string | null =>
    textOrNull(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(','),
    )
  return {
    hostname: draft.hostname.trim(),
    crawlingTime: Math.round(draft.minutes * 60),
    ...(draft.login === 'form' ? { username: draft.username.trim(), password: draft.password } : {}),
    ...(draft.login === 'key' ? { apiKey: draft.apiKey.trim() } : {}),
    ...(draft.login === 'role' ? { testRoleHexId: draft.roleId } : {}),
    applicationPages: lines(draft.applicationPages),
    ...(draft.journeys.length > 0 ? { journeys: [...draft.journeys] } : {}),
    outscopeUrls: lines(draft.outscopeUrls),
    urlTemplatePatterns: lines(draft.urlTemplatePatterns),
    collectionName: textOrNull(draft.collectionName),
    selectedModuleName: textOrNull(draft.moduleName),
    harmfulActions: draft.harmfulActions,
    runTestAfterCrawling: draft.testsAfter,
  }
}
