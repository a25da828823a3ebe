import { relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isAddress } from '../../read-input.ts'
import { locateEndpoint } from '../locate-endpoint.ts'
import {
  distinctPlaces,
  placeText,
  type ScanFinding,
  type ScanResult,
  type ScanRule,
  type Severity,
} from '../scan-result.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
/** Scores in the middle of the ranges that code scanning sorts severities by. */
const SCORES: Readonly<Record<Severity, string>> = {
  CRITICAL: '9.5',
  HIGH: '8.0',
  MEDIUM: '5.5',
  LOW: '3.0',
  INFO: '0.0',
}
const LEVELS: Readonly<Record<Severity, string>> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
  INFO: 'note',
}
const MOST_LOCATIONS = 100

type Inputs = ScanResult['inputs']

/** What a document tells, whether of a scan or of an installation. */
interface SarifContents extends Pick<ScanResult, 'toolVersion' | 'rules' | 'findings' | 'inputs'> {
  readonly invocation: object
  /** Of the run as a whole. */
  readonly properties: object
}

/** SARIF 2.1.0 of a scan. */
export function sarifReport(result: ScanResult): string {
  const { target, verdict, checks } = result
  return sarifDocument({
    ...result,
    invocation: invocationObject(result),
    properties: { target, verdict, checks },
  })
}

/** SARIF 2.1.0: a rule for each test that found something, a result for each cause. */
export function sarifDocument(contents: SarifContents): string {
  const { toolVersion, rules, findings, inputs, invocation, properties } = contents
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const run = {
    tool: {
      driver: {
        name: 'Vigil',
        version: toolVersion,
        semanticVersion: toolVersion,
        rules: rules.map(ruleObject),
      },
    },
    automationDetails: { id: 'vigil-scan/' },
    columnKind: 'utf16CodeUnits',
    invocations: [invocation],
    results: findings.map((finding) => resultObject(finding, indexes.get(finding.testId)!, inputs)),
    properties,
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

function ruleObject(rule: ScanRule): object {
  const cwe = rule.cwe.map((name) => `external/cwe/${name.toLowerCase()}`)
  const help = [rule.description, rule.impact && `**Impact:** ${rule.impact}`, rule.remediation]
    .filter((part) => part !== '')
    .join('\n\n')
  const text = help === '' ? rule.name : help
  const page = rule.references.find((reference) => /^https?:\/\//.test(reference) && URL.canParse(reference))
  return {
    id: rule.id,
    name: rule.id,
    shortDescription: { text: rule.name },
    fullDescription: { text: rule.description || rule.name },
    help: { text, markdown: text },
    ...(page === undefined ? {} : { helpUri: page }),
    defaultConfiguration: { level: LEVELS[rule.severity] },
    properties: {
      tags: [...new Set(['security', ...cwe, ...rule.tags])],
      precision: 'high',
      'security-severity': SCORES[rule.severity],
    },
  }
}

function resultObject(finding: ScanFinding, ruleIndex: number, inputs: Inputs): object {
  const { severity, fingerprint, places, status } = finding
  const reason = places[0]?.reason ?? ''
  return {
    ruleId: finding.testId,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: `${finding.name} at ${placeText(finding)}.${reason === '' ? '' : ` ${reason}`}` },
    locations: distinctPlaces(places)
      .slice(0, MOST_LOCATIONS)
      .map((place) => locationObject(place, inputs)),
    partialFingerprints: { 'vigilCause/v1': fingerprint },
    baselineState: status === 'KNOWN' ? 'unchanged' : 'new',
    ...(status === 'IGNORED'
      ? {
          suppressions: [
            { kind: 'external', status: 'accepted', justification: finding.ignoreReason ?? 'ignored' },
          ],
        }
      : {}),
    properties: { severity, category: finding.category, scope: finding.scope, part: finding.part },
  }
}

/** The line of the document that describes the endpoint; the first line of the first file otherwise. */
function locationObject(place: string, inputs: Inputs): object {
  const found = locateEndpoint(inputs, place)
  return {
    physicalLocation: {
      artifactLocation: { uri: found === null ? pathUri(place) : fileUri(found.file) },
      region: { startLine: found?.line ?? 1 },
    },
    logicalLocations: [{ fullyQualifiedName: place, kind: 'resource' }],
  }
}

/** Without a file the path of the endpoint, because viewers want one. */
function pathUri(place: string): string {
  const segments = place.slice(place.indexOf(' ') + 1).split('/')
  return (
    segments
      .filter((part) => part !== '')
      .map(encodeURIComponent)
      .join('/') || 'index'
  )
}

/** Relative to the working folder where the file is in it, as code scanning wants it; an address without what may be secret. */
function fileUri(file: string): string {
  if (isAddress(file)) {
    const { protocol, host, pathname } = new URL(file)
    return `${protocol}//${host}${pathname}`
  }
  const path = relative(process.cwd(), resolve(file))
  if (path.startsWith('..')) return pathToFileURL(resolve(file)).href
  return path.split(sep).map(encodeURIComponent).join('/')
}

function invocationObject({ startedAt, seconds, verdict, warnings, problem }: ScanResult): object {
  const notes = [...(problem === '' ? [] : [problem]), ...warnings]
  return {
    executionSuccessful: verdict === 'PASSED' || verdict === 'FINDINGS',
    startTimeUtc: startedAt,
    endTimeUtc: new Date(Date.parse(startedAt) + seconds * 1000).toISOString(),
    toolExecutionNotifications: notes.map((text) => ({ level: 'warning', message: { text } })),
  }
}
