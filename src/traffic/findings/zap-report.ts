import { ONLY_SEVERITIES } from '../../contract/import-formats.ts'
import { readMethod } from '../../http/index.ts'
import type { DecodeBudget } from '../decode-budget.ts'
import type { ImportReportWriter } from '../import-report.ts'
import { describeRequest } from '../import-report.ts'
import type { ImportedFinding, ImportedRule } from '../imported-finding.ts'
import { asList, asObject, asText, cutText, type OutsideObject, own } from '../untrusted-value.ts'
import { childrenOf, type XmlNode } from '../xml-tree.ts'
import {
  cweIds,
  exchangeOf,
  linksIn,
  notesOf,
  partOf,
  plainText,
  rawMessage,
  urlProblem,
} from './finding-parts.ts'

/** Places of one alert that are read; a report has one for each URL. */
const MAX_INSTANCES = 100_000

/** One alert of a report, in whichever form it came. */
export interface ZapAlert {
  readonly where: string
  /** Text of a field by its name in the JSON form. */
  readonly field: (name: string) => string
  readonly instances: readonly ZapInstance[]
}

interface ZapInstance {
  readonly where: string
  readonly field: (name: string) => string
}

const SEVERITIES: ReadonlyMap<string, ImportedRule['severity']> = new Map([
  ['3', 'HIGH'],
  ['2', 'MEDIUM'],
  ['1', 'LOW'],
])

/** Alerts of a report in JSON. */
export function* jsonAlerts(root: OutsideObject): Generator<ZapAlert> {
  for (const [s, site] of asList(own(root, 'site')).entries())
    for (const [a, value] of asList(own(asObject(site), 'alerts')).entries()) {
      const alert = asObject(value)
      const where = `/site/${s}/alerts/${a}`
      yield {
        where,
        field: (name) => asText(own(alert, name)),
        instances: asList(own(alert, 'instances')).map((instance, i) => ({
          where: `${where}/instances/${i}`,
          field: (name) => asText(own(asObject(instance), name)),
        })),
      }
    }
}

/** Alerts of a report in XML. */
export function* xmlAlerts(root: XmlNode): Generator<ZapAlert> {
  for (const site of childrenOf(root, 'site'))
    for (const alerts of childrenOf(site, 'alerts'))
      for (const alert of childrenOf(alerts, 'alertitem')) {
        const instances = childrenOf(alert, 'instances').flatMap((one) => childrenOf(one, 'instance'))
        yield {
          where: `line ${alert.line}`,
          field: xmlField(alert),
          instances: instances.map((instance) => ({
            where: `line ${instance.line}`,
            field: xmlField(instance),
          })),
        }
      }
}

/** XML writes the names without hyphens. */
function xmlField(node: XmlNode): (name: string) => string {
  return (name) => asText(childrenOf(node, name.replaceAll('-', ''))[0]?.text)
}

/** What the readers of one report share. */
interface ZapReading {
  readonly report: ImportReportWriter
  readonly budget: DecodeBudget
  /** When the report was made, epoch seconds. */
  readonly at: number
}

/** The findings of alerts; what is none goes into the report. */
export function* zapFindings(alerts: Iterable<ZapAlert>, reading: ZapReading): Generator<ImportedFinding> {
  let index = 0
  for (const alert of alerts) {
    const read = readAlert(alert)
    for (const instance of alert.instances.slice(0, MAX_INSTANCES)) {
      const finding = typeof read === 'string' ? read : findingOf(instance, { ...read, index }, reading)
      const what = describeRequest(instance.field('method'), instance.field('uri'))
      if (typeof finding === 'string') reading.report.skip(index, instance.where, what, finding)
      else yield finding
      index++
    }
    if (alert.instances.length > MAX_INSTANCES)
      reading.report.warn(alert.where, `only the first ${MAX_INSTANCES} places of this alert are read`)
  }
}

/** What the places of an alert share. */
interface ReadAlert {
  readonly rule: ImportedRule
  readonly isOfHost: boolean
  readonly otherInfo: string
}

/** Reads an alert once for all its places; the reason why it is not a finding as text. */
function readAlert(alert: ZapAlert): ReadAlert | string {
  const rule = ruleOf(alert)
  if (typeof rule === 'string') return rule
  return {
    rule,
    isOfHost: alert.field('systemic') === 'true',
    otherInfo: plainText(alert.field('otherinfo')),
  }
}

function ruleOf({ field }: ZapAlert): ImportedRule | string {
  const severity = SEVERITIES.get(field('riskcode').trim())
  const id = (field('alertRef') || field('pluginid')).trim()
  if (!/^[\w-]{1,60}$/.test(id)) return 'the alert has no id'
  if (field('confidence').trim() === '0') return 'it is marked as a false positive in ZAP'
  if (severity === undefined) return `it is informational: ${ONLY_SEVERITIES}`
  return {
    id: `ZAP:${id}`,
    tool: 'ZAP',
    name: cutText(plainText(field('name') || field('alert')), 200) || `ZAP rule ${id}`,
    description: plainText(field('desc')),
    remediation: plainText(field('solution')),
    severity,
    cwe: cweIds([field('cweid')]),
    cve: [],
    links: linksIn([field('reference')]),
  }
}

function findingOf(
  { where, field }: ZapInstance,
  { rule, index, isOfHost, otherInfo }: ReadAlert & { index: number },
  { report, budget, at }: ZapReading,
): ImportedFinding | string {
  const url = field('uri').trim()
  const problem = urlProblem(url)
  if (problem !== undefined) return problem
  const method = readMethod(field('method').trim() || 'GET')
  if (method === undefined) return 'its method is not an HTTP method'
  const what = describeRequest(method, url)
  const problems: string[] = []
  const body = field('request-body')
  const request = rawMessage(field('request-header'), body)
  const response = rawMessage(field('response-header'), field('response-body'))
  const exchange = exchangeOf({ url, request, response, at }, budget, problems)
  report.take(index, where, what, problems)
  return {
    ...{ index, where, what, rule, method, url, exchange, at },
    isOfHost,
    part: partOf(field('param'), url, body),
    notes: notesOf([
      ['Parameter', field('param')],
      ['Attack', field('attack')],
      ['Evidence', field('evidence')],
      ['More', field('otherinfo') || otherInfo],
    ]),
  }
}
