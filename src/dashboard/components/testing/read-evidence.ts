/** A node of a condition, with what was seen. */
export interface Reason {
  readonly text: string
  readonly holds: boolean
  /** The value that decided; null at inner nodes. */
  readonly observed: string | null
  /** Line of the test; 0 when unknown. */
  readonly line: number
  readonly children: readonly Reason[]
}

/** A request with its answer, as a sample message that {@link readSample} reads. */
export interface EvidenceExchange {
  readonly request: { line: string; headers: [string, string][]; body: string }
  readonly response: { line: string; headers: [string, string][]; body: string }
  readonly status: number
}

/** One request of a test. */
export interface EvidenceAttempt {
  readonly step: string
  readonly exchange: EvidenceExchange | null
  readonly validates: boolean
  readonly reasons: Reason | null
  readonly percentageMatch: number
  readonly responseTimeMs: number
  readonly isTruncated: boolean
  readonly curl: string
}

/** The request that had to differ before a positive counted. */
export interface EvidenceControl {
  readonly kind: string
  readonly confirms: boolean
  readonly explanation: string
  readonly attempt: EvidenceAttempt | null
}

/** What proves a result. */
export interface ResultEvidence {
  readonly baseline: EvidenceExchange | null
  /** The request of the baseline was made from a document. */
  readonly isGenerated: boolean
  readonly attempts: readonly EvidenceAttempt[]
  readonly control: EvidenceControl | null
  readonly identities: readonly string[]
  readonly selection: Reason | null
  /** Why `vigil replay` would come to no verdict; empty when it comes to the same. */
  readonly cannotBeJudged: string
}

/** Conditions nest; deeper ones are cut rather than trusted. */
const deepest = 40

type Fields = Map<string, unknown>

function fieldsOf(value: unknown): Fields {
  return new Map(
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [],
  )
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function readReason(value: unknown, depth = 0): Reason | null {
  const fields = fieldsOf(value)
  if (fields.size === 0) return null
  return {
    text: textOf(fields.get('text')),
    holds: fields.get('holds') === true,
    observed: fields.has('observed') ? textOf(fields.get('observed')) : null,
    line: Number(fields.get('line')) || 0,
    children:
      depth >= deepest
        ? []
        : listOf(fields.get('children')).flatMap((child) => readReason(child, depth + 1) ?? []),
  }
}

/** Headers stand flat in a list: name, value, name, value. */
function readHeaders(value: unknown): [string, string][] {
  const flat = listOf(value).map(textOf)
  return Array.from({ length: Math.floor(flat.length / 2) }, (_, at) => [
    flat[at * 2] ?? '',
    flat[at * 2 + 1] ?? '',
  ])
}

function bodyOf(half: Fields): string {
  const body = textOf(half.get('body'))
  return half.get('bodyIsBase64') === true && body !== '' ? `(binary, as base64)\n${body}` : body
}

function readExchange(value: unknown): EvidenceExchange | null {
  const fields = fieldsOf(value)
  const request = fieldsOf(fields.get('request'))
  if (request.size === 0) return null
  const response = fieldsOf(fields.get('response'))
  const status = Number(response.get('status')) || 0
  const version = textOf(request.get('version')) || 'HTTP/1.1'
  return {
    request: {
      line: `${textOf(request.get('method'))} ${textOf(request.get('target'))} ${version}`,
      headers: readHeaders(request.get('headers')),
      body: bodyOf(request),
    },
    response: {
      line: status === 0 ? 'Never answered' : `${version} ${status}`,
      headers: readHeaders(response.get('headers')),
      body: bodyOf(response),
    },
    status,
  }
}

function readAttempt(value: unknown, curl: unknown): EvidenceAttempt | null {
  const fields = fieldsOf(value)
  if (fields.size === 0) return null
  return {
    step: textOf(fields.get('step')),
    exchange: readExchange(fields.get('exchange')),
    validates: fields.get('validates') === true,
    reasons: readReason(fields.get('reasons')),
    percentageMatch: Number(fields.get('percentageMatch')) || 0,
    responseTimeMs: Number(fields.get('responseTimeMs')) || 0,
    isTruncated: fields.get('isTruncated') === true,
    curl: textOf(curl),
  }
}

/** Reads a file of evidence for display. What it lacks is empty; nothing in it is trusted. */
export function readEvidence(file: unknown): ResultEvidence {
  const whole = fieldsOf(file)
  const evidence = fieldsOf(whole.get('evidence'))
  const curl = fieldsOf(whole.get('curl'))
  const commands = listOf(curl.get('attempts'))
  const control = fieldsOf(evidence.get('control'))
  return {
    baseline: readExchange(evidence.get('baseline')),
    isGenerated: fieldsOf(fieldsOf(evidence.get('baseline')).get('tags')).has('vigil-generated'),
    attempts: listOf(evidence.get('attempts')).flatMap(
      (attempt, at) => readAttempt(attempt, commands[at]) ?? [],
    ),
    control:
      control.size === 0
        ? null
        : {
            kind: textOf(control.get('kind')),
            confirms: control.get('confirms') === true,
            explanation: textOf(control.get('explanation')),
            attempt: readAttempt(control.get('attempt'), curl.get('control')),
          },
    identities: listOf(evidence.get('identities')).map(textOf),
    selection: readReason(evidence.get('selection')),
    cannotBeJudged: textOf(whole.get('cannotBeJudged')),
  }
}
