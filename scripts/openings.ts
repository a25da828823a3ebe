import type { Visitor } from '../test/browser/visitor.ts'

/**
 * What is opened by a click. Each step is a word and what it is done to: the role of a control and its name
 * (`button New role`), or one of
 *
 * - `keys`: a chord (`keys Control+k`)
 * - `type`: text for what has the focus
 * - `fill`: the label of a field, and its text after `=`
 * - `tick`: a label
 * - `css`: a selector to click
 */
export interface Opening {
  readonly name: string
  /** Its address, or a pattern of one that only the full installation has. */
  readonly page: string | RegExp
  readonly steps: readonly string[]
}

const choose = 'css tbody input[type="checkbox"]'
const account = 'button Account ada@example.org'
const guide = 'css button[aria-label^="Set up a login of Attacker"]'
const firstAttack = 'css [aria-label="Events"] tbody button'

/** Everything that opens on a click, by page; those that change the installation are last. */
export const openings: readonly Opening[] = [
  { name: 'palette', page: '/', steps: ['keys Control+k'] },
  { name: 'palette-found', page: '/', steps: ['keys Control+k', 'type basket'] },
  { name: 'palette-nothing', page: '/', steps: ['keys Control+k', 'type zzqq'] },
  { name: 'shortcuts', page: '/', steps: ['keys ?'] },
  { name: 'scheme-menu', page: '/', steps: ['button Colour scheme'] },
  { name: 'account-menu', page: '/', steps: [account] },
  { name: 'password', page: '/', steps: [account, 'menuitem Change password'] },
  { name: 'second-factor', page: '/', steps: [account, 'menuitem Two-step sign-in'] },
  {
    name: 'second-factor-code',
    page: '/',
    steps: [
      account,
      'menuitem Two-step sign-in',
      'fill Current password=correct horse 1',
      'button Set up an app',
    ],
  },
  { name: 'collection-menu', page: '/apis', steps: ['button Actions for juiceshop'] },
  {
    name: 'collection-edit',
    page: '/apis',
    steps: ['button Actions for juiceshop', 'menuitem Rename or describe'],
  },
  { name: 'collection-delete', page: '/apis', steps: ['button Actions for juiceshop', 'menuitem Delete'] },
  { name: 'collection-new', page: '/apis', steps: ['button New collection'] },
  {
    name: 'collection-refused',
    page: '/apis',
    steps: ['button New collection', 'fill Name=juiceshop', 'button Create'],
  },
  { name: 'group-new', page: '/apis', steps: ['button New group'] },
  { name: 'endpoints-columns', page: '/apis/all', steps: ['button Columns'] },
  { name: 'endpoints-filter', page: '/apis/all', steps: ['css [aria-label="Method"]'] },
  { name: 'endpoints-chosen', page: '/apis/all', steps: [choose] },
  { name: 'endpoints-state', page: '/apis/all', steps: [choose, 'button State'] },
  { name: 'endpoints-group', page: '/apis/all', steps: [choose, 'button Add to group'] },
  { name: 'endpoints-tag', page: '/apis/all', steps: [choose, 'button Tag'] },
  { name: 'endpoints-delete', page: '/apis/all', steps: [choose, 'button Delete'] },
  { name: 'collection-redact', page: /^\/apis\/-?\d+$/, steps: ['tick Redact values'] },
  { name: 'collection-environment', page: /^\/apis\/-?\d+$/, steps: ['combobox Environment'] },
  { name: 'endpoint-care', page: /\/endpoint\?/, steps: ['button Tags and owner'] },
  { name: 'endpoint-sample', page: /tab=samples/, steps: ['tick Reveal masked values'] },
  { name: 'data-type-new', page: '/apis/data-types', steps: ['button New data type'] },
  {
    name: 'data-type-condition',
    page: '/apis/data-types',
    steps: ['button New data type', 'css [aria-label="Conditions on the name"] button'],
  },
  { name: 'data-type-edit', page: '/apis/data-types', steps: ['button EMAIL'] },
  { name: 'run-schedule', page: /execution=/, steps: ['button Schedule'] },
  { name: 'run-delete', page: /execution=/, steps: ['button Delete'] },
  { name: 'run-log', page: /execution=/, steps: ['button Show the log'] },
  { name: 'run-compare', page: /execution=/, steps: ['combobox Earlier execution'] },
  {
    name: 'run-compared',
    page: /execution=/,
    // The options of closed lists are in the document, too: no selector finds the first one of this.
    steps: ['combobox Earlier execution', 'keys ArrowDown', 'keys Enter'],
  },
  {
    name: 'run-checks',
    page: '/runs/new',
    steps: [
      'combobox Collections and groups',
      'type juiceshop',
      'keys ArrowDown',
      'keys Enter',
      'keys Escape',
      'css [aria-label="Quick choices"] button',
      'button Dry run',
    ],
  },
  { name: 'run-choices', page: '/runs/new', steps: ['css .mantine-Accordion-control'] },
  { name: 'run-risks', page: '/runs/new', steps: ['combobox Risks of the OWASP API Top 10'] },
  { name: 'result-false', page: /\/results\//, steps: ['button False positive'] },
  { name: 'issues-views', page: '/issues', steps: ['button Views'] },
  { name: 'issues-save-view', page: '/issues', steps: ['button Views', 'menuitem Save this view'] },
  { name: 'issues-export', page: '/issues', steps: ['button Export'] },
  { name: 'issues-more', page: '/issues', steps: ['button More'] },
  { name: 'issues-deadlines', page: '/issues', steps: ['button More', 'menuitem Deadlines'] },
  { name: 'issues-chosen', page: '/issues', steps: [choose] },
  { name: 'issues-ignore', page: '/issues', steps: [choose, 'button Ignore'] },
  { name: 'issues-severity', page: '/issues', steps: [choose, 'button Change severity'] },
  { name: 'issues-assign', page: '/issues', steps: [choose, 'button Assign'] },
  { name: 'issues-tag', page: '/issues', steps: [choose, 'button Tag'] },
  { name: 'issues-tickets', page: '/issues', steps: [choose, 'button Create tickets'] },
  { name: 'issue-severity', page: /\/issues\/one/, steps: ['button Severity'] },
  { name: 'issue-ignore', page: /\/issues\/one/, steps: ['button Ignore'] },
  { name: 'issue-false', page: /\/issues\/one/, steps: ['button False positive'] },
  { name: 'issue-ticket', page: /\/issues\/one/, steps: ['button Ticket'] },
  { name: 'issue-tags', page: /\/issues\/one/, steps: ['button Edit tags'] },
  { name: 'issue-note', page: /\/issues\/one/, steps: ['button Edit the note'] },
  {
    name: 'rule-change',
    page: '/issues/false-positives',
    steps: ['css button[aria-label^="Change the rule"]'],
  },
  {
    name: 'rule-remove',
    page: '/issues/false-positives',
    steps: ['css button[aria-label^="Remove the rule"]'],
  },
  { name: 'suite-new', page: '/library/suites', steps: ['button New suite'] },
  { name: 'suite-change', page: '/library/suites', steps: ['button Change access'] },
  { name: 'suite-delete', page: '/library/suites', steps: ['button Delete access'] },
  { name: 'editor-cases', page: '/library/new', steps: ['button Add cases'] },
  { name: 'threats-time', page: '/threats', steps: ['combobox Time'] },
  { name: 'threats-bars', page: '/threats', steps: ['combobox Length of a bar'] },
  { name: 'event', page: '/threats/events', steps: [firstAttack] },
  { name: 'event-false', page: '/threats/events', steps: [firstAttack, 'button Mark as false positive'] },
  { name: 'events-chosen', page: '/threats/events', steps: [choose] },
  { name: 'events-status', page: '/threats/events', steps: [choose, 'button Set the status'] },
  { name: 'block-list', page: '/threats/actors', steps: ['button Block list'] },
  { name: 'actor-status', page: /\/actors\/one/, steps: ['button Change the status'] },
  { name: 'filter-delete', page: '/threats/filters/SQLI_UNION', steps: ['button Delete'] },
  { name: 'filter-try', page: '/threats/filters/SQLI_UNION', steps: ['button Try it'] },
  { name: 'role-new', page: '/settings/roles', steps: ['button New role'] },
  {
    name: 'role-condition',
    page: '/settings/roles',
    steps: ['button New role', 'css section[aria-label="All of these hold"] button'],
  },
  { name: 'role-endpoints', page: '/settings/roles', steps: ['button Change the endpoints of SUPPORT'] },
  { name: 'role-share', page: '/settings/roles', steps: ['button Share SUPPORT'] },
  {
    name: 'role-delete',
    page: '/settings/roles',
    steps: ['css section[aria-label="SUPPORT"] ::-p-text(Delete)'],
  },
  { name: 'role-credential', page: '/settings/roles', steps: ['button Set the credential'] },
  { name: 'role-kinds', page: '/settings/roles', steps: ['button Set the credential', 'combobox Kind'] },
  {
    name: 'role-login-request',
    page: '/settings/roles',
    steps: ['button Set the credential', 'combobox Kind', 'option A login by requests'],
  },
  { name: 'credential-change', page: '/settings/roles', steps: ['button Change credential 1 of SUPPORT'] },
  { name: 'credential-try', page: '/settings/roles', steps: ['button Try credential 1 of SUPPORT'] },
  { name: 'credential-remove', page: '/settings/roles', steps: ['button Remove credential 1 of SUPPORT'] },
  { name: 'login-way', page: '/settings/roles', steps: [guide] },
  { name: 'login-form', page: '/settings/roles', steps: [guide, 'button Next'] },
  { name: 'login-json', page: '/settings/roles', steps: [guide, 'css input[value="api"]', 'button Next'] },
  { name: 'login-token', page: '/settings/roles', steps: [guide, 'css input[value="token"]', 'button Next'] },
  { name: 'login-oauth', page: '/settings/roles', steps: [guide, 'css input[value="oauth"]', 'button Next'] },
  {
    name: 'login-recorded',
    page: '/settings/roles',
    steps: [guide, 'css input[value="recorded"]', 'button Next'],
  },
  { name: 'channel-new', page: '/settings/alerts', steps: ['button New channel'] },
  {
    name: 'channel-webhook',
    page: '/settings/alerts',
    steps: ['button New channel', 'combobox Kind', 'option Webhook'],
  },
  { name: 'channel-change', page: '/settings/alerts', steps: ['button Change security'] },
  { name: 'channel-delete', page: '/settings/alerts', steps: ['button Delete security'] },
  { name: 'tracker', page: '/settings/alerts', steps: ['button Set up GitHub Issues'] },
  { name: 'tracker-change', page: '/settings/alerts', steps: ['button Change Jira'] },
  { name: 'tracker-remove', page: '/settings/alerts', steps: ['button Remove Jira'] },
  { name: 'header-new', page: '/settings/threats', steps: ['button Name a header'] },
  { name: 'header-change', page: '/settings/threats', steps: ['button Change x-client-id, line 1'] },
  { name: 'header-remove', page: '/settings/threats', steps: ['button Remove x-client-id, line 1'] },
  { name: 'retention', page: '/settings/threats', steps: ['button Change how long events are kept'] },
  {
    name: 'retention-shorter',
    page: '/settings/threats',
    steps: ['button Change how long events are kept', 'fill Days=30'],
  },
  { name: 'suppression-new', page: '/settings/threats', steps: ['button New suppression'] },
  {
    name: 'suppression-remove',
    page: '/settings/threats',
    steps: ['css button[aria-label^="Remove suppression"]'],
  },
  { name: 'key-new', page: '/settings/keys', steps: ['button New key'] },
  { name: 'key-delete', page: '/settings/keys', steps: ['button Delete the key automation'] },
  { name: 'invite', page: '/settings/team', steps: ['button Invite'] },
  { name: 'invite-role', page: '/settings/team', steps: ['button Invite', 'combobox Role'] },
  { name: 'zone', page: '/settings/preferences', steps: ['combobox Time zone'] },
  { name: 'audit-entry', page: '/settings/audit', steps: ['css tbody button'] },
  { name: 'audit-actions', page: '/settings/audit', steps: ['combobox Action'] },
  { name: 'crawl-again', page: /^\/crawls\/[^?]+$/, steps: ['button Crawl again'] },
  { name: 'crawl-delete', page: /^\/crawls\/[^?]+$/, steps: ['button Delete'] },
  { name: 'new-crawl-form', page: '/crawls/new', steps: ['tick User name and password'] },
  { name: 'new-crawl-lacks', page: '/crawls/new', steps: ['button Start the crawl'] },
  {
    name: 'recipe',
    page: '/start?way=live',
    steps: ['css input[role="combobox"], input[aria-haspopup="listbox"]'],
  },
  { name: 'not-changed-password', page: '/settings/preferences', steps: ['button Change password'] },
  { name: 'toast', page: '/apis', steps: ['button Actions for juiceshop', 'menuitem Deactivate'] },
  {
    name: 'toast-back',
    page: '/apis?show=all',
    steps: ['button Actions for juiceshop', 'menuitem Activate'],
  },
  {
    name: 'key-made',
    page: '/settings/keys',
    steps: ['button New key', 'fill Name=pictures', 'button Create the key'],
  },
  {
    name: 'invited',
    page: '/settings/team',
    steps: ['button Invite', 'fill E-mail=grace.hopper@example.org', 'button Create invitation'],
  },
]

/** Does one step of {@link Opening}. */
export async function take(visitor: Visitor, step: string): Promise<void> {
  const at = step.indexOf(' ')
  const [word, what] = [step.slice(0, at), step.slice(at + 1)]
  if (word === 'keys') return pressChord(visitor, what)
  if (word === 'type') {
    await visitor.until(`document.activeElement?.tagName === 'INPUT'`)
    return visitor.page.keyboard.type(what)
  }
  if (word === 'tick') return visitor.tick(what)
  if (word === 'css') return visitor.press(what)
  if (word !== 'fill') return visitor.click(word, what)
  const [label = '', text = ''] = what.split('=')
  await visitor.fill(label, text)
}

async function pressChord({ page }: Visitor, chord: string): Promise<void> {
  const keys = chord.split('+') as Parameters<typeof page.keyboard.press>[0][]
  for (const key of keys.slice(0, -1)) await page.keyboard.down(key)
  await page.keyboard.press(keys.at(-1)!)
  for (const key of keys.slice(0, -1)) await page.keyboard.up(key)
}
