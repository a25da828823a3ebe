import type { Step, UserFlow } from '@puppeteer/replay'
import { Failure } from '../../kit/index.ts'
import { shortPattern } from '../../kit/short-pattern.ts'
import type { KnownCredentials } from '../login/credential-mask.ts'
import { type HeaderCopy, MAX_RECORDING_CHARS, MAX_STEPS, type Recording } from './recording.ts'
import { type RecorderStep, recorderStep, type SimpleStep } from './simple-steps.ts'
import { codeDigit } from './typed-value.ts'

const MAX_COPIES = 20
/** Boxes by what their selectors say, in the languages that crawls meet most. */
const SECRET_BOX = /pass|pwd|kennwort|contrase|senha|mot de|parol|pin\b|secret|code/i
const NAME_BOX = /user|mail|login|account|phone|benutzer|usuario|utilis/i

type Fields = Record<string, unknown>

/**
 * Reads a recorded login: an export of the recorder of Chrome (`{title, steps}`), with `requests` and `totp` beside the
 * steps, or a list of `{action, selector, value, url}`.
 *
 * @throws Failure FLOW_NOT_JSON, FLOW_INVALID
 */
export async function parseRecording(text: string): Promise<Recording> {
  const { fields, steps } = readSteps(text)
  const urls = namedUrls(steps)
  const flow = await checkedFlow({ title: 'login', ...fields, steps })
  const totp = fields['totp']
  return {
    flow,
    copies: headerCopies(fields['requests']),
    totp: typeof totp === 'string' && totp.trim() !== '' ? totp : null,
    urls,
    secrets: typedTexts(flow.steps),
  }
}

/** Pages that the text of a recording names; none when it is not a recording. */
export function recordingUrls(text: string): readonly URL[] {
  try {
    return namedUrls(readSteps(text).steps)
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

/**
 * What a recording types. Its passwords are what goes into boxes that are called so; without such a box all that goes
 * into any other than one for the name of the account. None when the text is not a recording.
 */
export function typedCredentials(text: string): KnownCredentials {
  let steps: RecorderStep[]
  try {
    ;({ steps } = readSteps(text))
  } catch (error) {
    if (error instanceof Failure) return { users: [], secrets: [] }
    throw error
  }
  const typed = steps.flatMap(({ type, value, selectors }) =>
    type === 'change' && typeof value === 'string' && value !== '' && !/^\s*\$\{totp/.test(value)
      ? [{ value, box: JSON.stringify(selectors ?? '') }]
      : [],
  )
  const named = typed.filter(({ box }) => SECRET_BOX.test(box))
  const secret = named.length > 0 ? named : typed.filter(({ box }) => !NAME_BOX.test(box))
  const secrets = new Set(secret.map(({ value }) => value))
  const users = typed.map(({ value }) => value).filter((value) => !secrets.has(value))
  return { users: [...new Set(users)], secrets: [...secrets] }
}

function readSteps(text: string): { fields: Fields; steps: RecorderStep[] } {
  if (text.length > MAX_RECORDING_CHARS) throw invalid(`it is longer than ${MAX_RECORDING_CHARS} characters`)
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw new Failure('FLOW_NOT_JSON', {}, { cause: error })
  }
  const fields: Fields = isFields(data) ? data : {}
  return { fields, steps: recorderSteps(Array.isArray(data) ? data : fields['steps']) }
}

function recorderSteps(data: unknown): RecorderStep[] {
  if (!Array.isArray(data)) throw invalid('it has no steps')
  if (data.length === 0) throw invalid('it has no steps')
  if (data.length > MAX_STEPS) throw invalid(`it has more than ${MAX_STEPS} steps`)
  return data.map((step: unknown, index) => {
    if (!isFields(step)) throw invalid(`step ${index + 1} is not an object`)
    const made = typeof step['action'] === 'string' ? recorderStep(step as unknown as SimpleStep) : step
    if (typeof made === 'string') throw invalid(`step ${index + 1} ${made}`)
    return made
  })
}

/** The library checks each step; keys that stand for a digit of a code are not keys to it. */
async function checkedFlow(data: Fields & { steps: readonly RecorderStep[] }): Promise<UserFlow> {
  const { parse } = await import('@puppeteer/replay')
  const digits = new Map<number, unknown>()
  const steps = data.steps.map((step, index) => {
    const isDigit = typeof step['key'] === 'string' && codeDigit(step['key']) !== null
    if (isDigit) digits.set(index, step['key'])
    return isDigit ? { ...step, key: '0' } : step
  })
  let flow: UserFlow
  try {
    flow = parse({ title: String(data['title']).slice(0, 200), timeout: data['timeout'], steps })
  } catch (error) {
    throw new Failure('FLOW_INVALID', { reason: reasonOf(error) }, { cause: error })
  }
  return {
    ...flow,
    steps: flow.steps.map((step, index) =>
      digits.has(index) ? ({ ...step, key: digits.get(index) } as Step) : step,
    ),
  }
}

/** The library's sentence, without anything that the step holds. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it cannot be read'
  return (
    text
      .replace(/\{.*|\[.*/s, '')
      .slice(0, 200)
      .trim() || 'a step cannot be read'
  )
}

function headerCopies(data: unknown): HeaderCopy[] {
  if (!Array.isArray(data)) return []
  return data.slice(0, MAX_COPIES).flatMap((copy: unknown) => {
    if (!isFields(copy)) return []
    const { urlRegex, position, name, saveAs } = copy
    if (position !== 'header' || typeof urlRegex !== 'string' || typeof name !== 'string') return []
    try {
      shortPattern(urlRegex)
    } catch (error) {
      throw new Failure(
        'FLOW_INVALID',
        { reason: `requests: ${urlRegex.slice(0, 100)} is not a pattern` },
        { cause: error },
      )
    }
    return [{ urlPattern: urlRegex, name, saveAs: typeof saveAs === 'string' ? saveAs : name }]
  })
}

/** Pages that a person named: those to open, and those that the recorder saw afterwards. */
function namedUrls(steps: readonly RecorderStep[]): URL[] {
  const urls: URL[] = []
  for (const [index, { type, url, target, assertedEvents }] of steps.entries()) {
    const seen: unknown[] = Array.isArray(assertedEvents) ? assertedEvents : []
    const isOpened = type === 'navigate' && url !== 'about:blank'
    const named = [
      isOpened ? url : null,
      target,
      ...seen.map((event) => (isFields(event) ? event['url'] : null)),
    ]
    for (const [at, text] of named.entries()) {
      const parsed = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
      if (parsed !== null && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) urls.push(parsed)
      else if (isOpened && at === 0) throw invalid(`step ${index + 1} opens no http or https URL`)
    }
  }
  if (urls.length === 0) throw invalid('no step opens a page')
  return urls
}

function typedTexts(steps: readonly Step[]): string[] {
  return [
    ...new Set(steps.flatMap((step) => (step.type === 'change' && step.value !== '' ? [step.value] : []))),
  ]
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(reason: string): Failure {
  return new Failure('FLOW_INVALID', { reason })
}
