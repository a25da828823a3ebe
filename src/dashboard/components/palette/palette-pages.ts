import { englishText, type PlainKey, t } from '../../i18n/translate.ts'

/** A page that the palette offers. */
interface PalettePage {
  readonly to: string
  readonly label: PlainKey
  /** Other words that people search it by, in English. */
  readonly words: string
  /** Letter that opens it after g. */
  readonly letter?: string
}

/** Pages and actions of the palette. */
export const palettePages: readonly PalettePage[] = [
  { to: '/', label: 'nav.overview', words: 'home start dashboard', letter: 'o' },
  { to: '/apis', label: 'page.collections', words: 'apis inventory', letter: 'c' },
  { to: '/apis/all', label: 'page.allEndpoints', words: 'apis inventory routes', letter: 'e' },
  { to: '/apis/sensitive', label: 'page.sensitive', words: 'pii personal types matrix', letter: 's' },
  { to: '/apis/changes', label: 'page.changes', words: 'new shadow drift' },
  { to: '/apis/data-types', label: 'page.dataTypes', words: 'sensitive custom patterns' },
  { to: '/apis/all?sensitive=yes', label: 'page.sensitiveEndpoints', words: 'pii personal data' },
  { to: '/apis/all?tested=NEVER_RUN', label: 'page.untested', words: 'coverage untested' },
  { to: '/runs', label: 'nav.runs', words: 'scans executions', letter: 'r' },
  { to: '/runs/new', label: 'page.newRun', words: 'start scan test plan', letter: 'n' },
  { to: '/runs/coverage', label: 'page.coverage', words: 'what was tested gaps untested matrix' },
  { to: '/runs/access', label: 'page.access', words: 'roles identities permissions reach bola bfla' },
  { to: '/crawls', label: 'nav.crawls', words: 'crawler dast spider', letter: 'w' },
  { to: '/crawls/new', label: 'page.newCrawl', words: 'start crawler spider' },
  { to: '/issues', label: 'nav.issues', words: 'vulnerabilities findings', letter: 'i' },
  { to: '/issues?assignee=nobody', label: 'page.unassigned', words: 'unassigned triage' },
  { to: '/issues?due=overdue', label: 'page.overdue', words: 'sla deadline due' },
  { to: '/issues/false-positives', label: 'page.falsePositives', words: 'rules suppress ignore' },
  { to: '/library', label: 'nav.library', words: 'templates checks', letter: 'l' },
  { to: '/library/new', label: 'page.newTest', words: 'write template yaml editor' },
  { to: '/library/suites', label: 'page.suites', words: 'groups of tests' },
  { to: '/threats', label: 'nav.threats', words: 'attacks activity', letter: 't' },
  { to: '/threats/events', label: 'page.events', words: 'malicious messages' },
  { to: '/threats/actors', label: 'page.actors', words: 'attackers ip block' },
  { to: '/threats/filters', label: 'page.filters', words: 'detection rules waf' },
  { to: '/reports', label: 'nav.reports', words: 'pdf export signed test record audit evidence' },
  { to: '/api-reference', label: 'account.reference', words: 'openapi operations rest curl try' },
  { to: '/start', label: 'shell.addTraffic', words: 'import har openapi postman upload', letter: 'a' },
  { to: '/settings/roles', label: 'page.roles', words: 'test identities login authentication' },
  { to: '/settings/alerts', label: 'page.alerts', words: 'slack teams webhook jira tickets' },
  { to: '/settings/threats', label: 'page.threatSettings', words: 'suppressions retention' },
  { to: '/settings/keys', label: 'page.keys', words: 'tokens' },
  { to: '/settings/team', label: 'page.team', words: 'users people invitations' },
  {
    to: '/settings/status',
    label: 'page.status',
    words: 'health stages lag processes instances store dropped',
  },
  {
    to: '/settings/organisation',
    label: 'page.organisation',
    words: 'company name time zone retention redaction mask',
  },
  {
    to: '/settings/preferences',
    label: 'account.preferences',
    words: 'profile language german deutsch sprache time zone dark password totp',
  },
  { to: '/settings/audit', label: 'page.audit', words: 'history changes who sign-ins export csv' },
]

/** Pages whose label or other words hold every word of a text. */
export function matchingPages(text: string): readonly PalettePage[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return palettePages.filter((page) => {
    const all = `${t(page.label)} ${englishText(page.label)} ${page.words}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
