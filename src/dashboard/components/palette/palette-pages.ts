/** A page that the palette offers. */
interface PalettePage {
  readonly to: string
  readonly label: string
  /** Other words that people search it by. */
  readonly words: string
  /** Letter that opens it after g. */
  readonly letter?: string
}

/** Pages and actions of the palette. */
export const palettePages: readonly PalettePage[] = [
  { to: '/', label: 'Overview', words: 'home start dashboard', letter: 'o' },
  { to: '/apis', label: 'Collections', words: 'apis inventory', letter: 'c' },
  { to: '/apis/all', label: 'All endpoints', words: 'apis inventory routes', letter: 'e' },
  { to: '/apis/sensitive', label: 'Sensitive data', words: 'pii personal types matrix', letter: 's' },
  { to: '/apis/changes', label: 'Changes of the inventory', words: 'new shadow drift' },
  { to: '/apis/data-types', label: 'Data types', words: 'sensitive custom patterns' },
  { to: '/apis/all?sensitive=yes', label: 'Endpoints with sensitive data', words: 'pii personal data' },
  { to: '/apis/all?tested=NEVER_RUN', label: 'Endpoints never tested', words: 'coverage untested' },
  { to: '/runs', label: 'Test runs', words: 'scans executions', letter: 'r' },
  { to: '/runs/new', label: 'New run', words: 'start scan test plan', letter: 'n' },
  { to: '/runs/coverage', label: 'Coverage', words: 'what was tested gaps untested matrix' },
  { to: '/runs/access', label: 'Access matrix', words: 'roles identities permissions reach bola bfla' },
  { to: '/crawls', label: 'Crawls', words: 'crawler dast spider', letter: 'w' },
  { to: '/crawls/new', label: 'New crawl', words: 'start crawler spider' },
  { to: '/issues', label: 'Issues', words: 'vulnerabilities findings', letter: 'i' },
  { to: '/issues?assignee=nobody', label: 'Issues that nobody has', words: 'unassigned triage' },
  { to: '/issues?due=overdue', label: 'Overdue issues', words: 'sla deadline due' },
  { to: '/issues/false-positives', label: 'False positives', words: 'rules suppress ignore' },
  { to: '/library', label: 'Test library', words: 'templates checks', letter: 'l' },
  { to: '/library/new', label: 'New test', words: 'write template yaml editor' },
  { to: '/library/suites', label: 'Test suites', words: 'groups of tests' },
  { to: '/threats', label: 'Threats', words: 'attacks activity', letter: 't' },
  { to: '/threats/events', label: 'Attack events', words: 'malicious messages' },
  { to: '/threats/actors', label: 'Threat actors', words: 'attackers ip block' },
  { to: '/threats/filters', label: 'Threat filters', words: 'detection rules waf' },
  { to: '/reports', label: 'Reports', words: 'pdf export signed test record audit evidence' },
  { to: '/start', label: 'Add traffic', words: 'import har openapi postman upload', letter: 'a' },
  { to: '/settings/roles', label: 'Roles and credentials', words: 'test identities login authentication' },
  { to: '/settings/alerts', label: 'Alerts', words: 'slack teams webhook jira tickets' },
  { to: '/settings/threats', label: 'Threat settings', words: 'suppressions retention' },
  { to: '/settings/keys', label: 'API keys', words: 'tokens' },
  { to: '/settings/team', label: 'Team', words: 'users people invitations' },
  { to: '/settings/status', label: 'Status', words: 'health stages lag processes instances store dropped' },
  { to: '/settings/audit', label: 'Audit log', words: 'history changes who sign-ins export csv' },
]

/** Pages whose label or other words hold every word of a text. */
export function matchingPages(text: string): readonly PalettePage[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return palettePages.filter((page) => {
    const all = `${page.label} ${page.words}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
