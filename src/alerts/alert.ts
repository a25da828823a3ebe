import type { IssueSeverity } from '../store/index.ts'

/** What a channel can be told of. */
const alertEvents = ['RUN_FINISHED', 'NEW_ISSUES', 'NEW_THREATS', 'ACTOR_STATUS'] as const

/** One of {@link alertEvents}. */
export type AlertEvent = (typeof alertEvents)[number]

/** Numbers of findings by severity. */
type AlertCounts = Record<IssueSeverity, number>

/** An execution that ended. */
export interface RunFinished {
  readonly event: 'RUN_FINISHED'
  readonly runId: string
  readonly summaryId: string
  readonly runName: string
  readonly state: 'COMPLETED' | 'FAILED' | 'STOPPED'
  /** Epoch seconds. */
  readonly startedAt: number
  readonly endedAt: number
  readonly endpoints: number
  readonly tests: number
  readonly results: number
  /** Vulnerable results that are not ignored. */
  readonly counts: AlertCounts
  /** Why it failed; null when it did not. */
  readonly error: string | null
}

interface AlertIssue {
  readonly severity: IssueSeverity
  readonly name: string
  readonly method: string
  readonly url: string
}

/** Issues that an execution found for the first time, or again after they were fixed; one message for all. */
export interface NewIssues {
  readonly event: 'NEW_ISSUES'
  readonly runId: string
  readonly summaryId: string
  readonly runName: string
  readonly counts: AlertCounts
  /** The worst ones, at most {@link maxAlertIssues}. */
  readonly issues: readonly AlertIssue[]
}

/** One malicious event of an alert. */
interface AlertThreat {
  readonly severity: IssueSeverity
  readonly filterId: string
  readonly actor: string
  readonly method: string
  readonly host: string
  readonly url: string
}

/** Malicious events of some minutes; one message for all. */
export interface NewThreats {
  readonly event: 'NEW_THREATS'
  readonly counts: AlertCounts
  /** The worst ones, at most {@link maxAlertIssues}. */
  readonly threats: readonly AlertThreat[]
}

/** Actors that were given a status. */
export interface ActorStatusSet {
  readonly event: 'ACTOR_STATUS'
  readonly actors: readonly string[]
  readonly status: string
  /** Login of who did. */
  readonly setBy: string
  readonly reason: string
}

/** A message that says that messages arrive. */
interface TestAlert {
  readonly event: 'TEST'
  readonly sentBy: string
}

/** What it reports. */
export type AlertFacts = RunFinished | NewIssues | NewThreats | ActorStatusSet | TestAlert

/** A message to be sent: its content, with the id that stays over every attempt. */
export interface Alert {
  /** 24 hexadecimal digits; receivers recognise repeats by it. */
  readonly id: string
  /** Epoch seconds. */
  readonly at: number
  readonly facts: AlertFacts
  /** Page of the dashboard where people read on. */
  readonly link: string
}

/** Issues that one message names. */
export const maxAlertIssues = 10

/** Severities, the worst first. */
export const severityOrder = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const

/** The sum over all severities. */
function totalOf(counts: AlertCounts): number {
  return severityOrder.reduce((sum, severity) => sum + counts[severity], 0)
}

/** `2 critical, 1 low`; `no findings`. */
function countsText(counts: AlertCounts): string {
  const told = severityOrder.flatMap((severity) =>
    counts[severity] > 0 ? [`${counts[severity]} ${severity.toLowerCase()}`] : [],
  )
  return told.length === 0 ? 'no findings' : told.join(', ')
}

const endWords = { COMPLETED: 'finished', FAILED: 'failed', STOPPED: 'was stopped' } as const
const MAX_TITLE = 140
const MAX_URL = 200

/** The title of a message, one line. */
export function titleOf(facts: AlertFacts): string {
  switch (facts.event) {
    case 'RUN_FINISHED':
      return cut(`Test run ${quoted(facts.runName)}${endWords[facts.state]}`, MAX_TITLE)
    case 'NEW_ISSUES': {
      const total = totalOf(facts.counts)
      return cut(
        `${total} new ${total === 1 ? 'issue' : 'issues'} in test run ${quoted(facts.runName)}`.trim(),
        MAX_TITLE,
      )
    }
    case 'NEW_THREATS': {
      const total = totalOf(facts.counts)
      return `${total} new malicious ${total === 1 ? 'event' : 'events'}`
    }
    case 'ACTOR_STATUS': {
      const [first, ...others] = facts.actors
      const more = others.length === 0 ? '' : ` and ${others.length} more`
      return cut(`Threat actor ${first}${more}: ${facts.status}`, MAX_TITLE)
    }
    case 'TEST':
      return 'Vigil can reach this channel'
  }
}

/** The lines of a message below its title, plain text. */
export function linesOf(facts: AlertFacts): string[] {
  switch (facts.event) {
    case 'RUN_FINISHED':
      return [
        `Findings: ${countsText(facts.counts)}`,
        `${facts.results} results of ${facts.tests} tests on ${facts.endpoints} endpoints in ${duration(facts)}`,
        ...(facts.error === null ? [] : [cut(facts.error, 500)]),
      ]
    case 'NEW_ISSUES': {
      const rest = totalOf(facts.counts) - facts.issues.length
      return [
        countsText(facts.counts),
        ...facts.issues.map(
          ({ severity, name, method, url }) =>
            `${severity}: ${cut(name, MAX_TITLE)} – ${method} ${cut(url, MAX_URL)}`,
        ),
        ...(rest > 0 ? [`and ${rest} more`] : []),
      ]
    }
    case 'NEW_THREATS': {
      const rest = totalOf(facts.counts) - facts.threats.length
      return [
        countsText(facts.counts),
        ...facts.threats.map(
          ({ severity, filterId, actor, method, host, url }) =>
            `${severity}: ${cut(filterId, MAX_TITLE)} by ${actor} – ${method} ${cut(host + url, MAX_URL)}`,
        ),
        ...(rest > 0 ? [`and ${rest} more`] : []),
      ]
    }
    case 'ACTOR_STATUS':
      return [
        `Set by ${facts.setBy}.`,
        ...facts.actors.slice(0, maxAlertIssues).map((actor) => cut(actor, MAX_URL)),
        ...(facts.reason === '' ? [] : [cut(facts.reason, 500)]),
      ]
    case 'TEST':
      return [`A test message, asked for by ${facts.sentBy}.`]
  }
}

function quoted(name: string): string {
  return name === '' ? '' : `“${name}” `
}

function duration({ startedAt, endedAt }: RunFinished): string {
  const seconds = Math.max(endedAt - startedAt, 0)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** A text on one line, no longer than asked. */
export function cut(text: string, length: number): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  if (line.length <= length) return line
  const kept = line.slice(0, length - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
