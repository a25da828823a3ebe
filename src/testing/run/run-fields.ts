import { Failure } from '../../kit/index.ts'
import type { RecordedField, Scalar } from '../../rules/index.ts'
import { buildAttempts } from '../attempts/index.ts'
import type { TemplateFields } from '../template/index.ts'
import { judge, type Trial } from './judge.ts'
import type { AttemptRecord, ControlRecord } from './pair-result.ts'
import { type FlowOutcome, runFlow } from './run-flow.ts'

/** A field that a request does not carry, or with another value than it carries. */
interface Candidate {
  readonly name: string
  readonly value: Scalar
  /** The application itself gives objects this field, and users do not send it. */
  readonly isOfApplication: boolean
  /** The application was never seen using the name. */
  readonly isUnseen: boolean
}

/** Most candidates of one test on one endpoint, and names that are taken from records. */
const MOST = 5
const MOST_NAMES = 3
/**
 * Names that no application has, one for each type of value: a store that takes any field often keeps the type that it got
 * first, and refuses others.
 */
const INVENTED = {
  string: 'vigilField484811',
  number: 'vigilNumber484811',
  boolean: 'vigilFlag484811',
} as const
/** Values of a list of roles or states that are worth most. */
const PRIVILEGED =
  /admin|root|super|owner|manag|staff|employee|chef|operator|moderator|editor|internal|approved|active|paid|verified|premium/i

/**
 * Runs the steps of a test for one candidate of its field after another, until one is proven: names and values that were
 * recorded first, then those of the template.
 *
 * @throws Failure SEND_STOPPED, PATTERN_OVER_BUDGET
 */
export async function runFields(trial: Trial, fields: TemplateFields): Promise<FlowOutcome> {
  const { tools } = trial
  const recorded = tools.lookups.fieldsOf(trial.endpoint, fields.names)
  const all = candidatesOf(trial, fields, recorded)
  if (all.length === 0) return nothingToTry(textOfNothing(recorded))
  // Another name would be stored as well, and would prove as little.
  const isLoose = tools.isLooseStore(trial.endpoint)
  const candidates = isLoose ? all.filter(({ isUnseen }) => !isUnseen) : all
  if (candidates.length === 0) return nothingToTry(LOOSE)
  const attempts: AttemptRecord[] = []
  let best: FlowOutcome | null = null
  for (const candidate of candidates) {
    const first = await runFlow(withField(trial, fields, candidate.name, candidate.value))
    const other = otherValue(candidate, candidates, fields)
    const flow =
      other === null ? first : await followed(withField(trial, fields, candidate.name, other), first)
    const outcome =
      flow.control?.confirms === true && !candidate.isOfApplication
        ? { ...flow, control: await inventedControl(withInvented(trial, fields, candidate), flow.control) }
        : flow
    if (outcome.control?.kind === 'invented') tools.noteLooseStore(trial.endpoint)
    attempts.push(...outcome.attempts)
    best = better(best, outcome)
    if (outcome.control?.confirms === true) break
  }
  return { ...best!, attempts }
}

/** A proven outcome counts most, then one that validated, then one without an obstacle. */
function better(best: FlowOutcome | null, next: FlowOutcome): FlowOutcome {
  const rank = ({ control, validates, obstacle }: FlowOutcome): number =>
    control?.confirms === true ? 3 : validates ? 2 : obstacle === null ? 1 : 0
  return best === null || rank(next) > rank(best) ? next : best
}

function candidatesOf(
  { sample }: Trial,
  fields: TemplateFields,
  recorded: readonly RecordedField[],
): Candidate[] {
  const usable = recorded
    .filter(({ isSent }) => !isSent || !fields.isSetByUsers)
    .toSorted((a, b) => Number(b.isShown) - Number(a.isShown))
  const own = ({ key, value }: { key: string; value: unknown }): string => `${key} ${String(value)}`
  const present = new Set([...sample.requestBody.leaves, ...sample.responseBody.leaves].map(own))
  const found = usable.slice(0, MOST_NAMES).flatMap((field): Candidate[] =>
    valuesFor(field, fields)
      .filter((value) => !present.has(own({ key: field.name, value })))
      .map((value) => ({
        name: field.name,
        value,
        isOfApplication: field.isShown && !field.isSent,
        isUnseen: false,
      })),
  )
  // What has another name here is tried by that name.
  const plain = recorded.some(({ isShown, isSent }) => isShown || isSent)
    ? []
    : fields.values.map(
        (value): Candidate => ({ name: fields.name, value, isOfApplication: false, isUnseen: true }),
      )
  const all = new Map([...found, ...plain].map((one) => [`${one.name} ${one.value}`, one]))
  return [...all.values()].slice(0, MOST)
}

/** Values of a field, those that give most first; where several were recorded, they are all that it takes. */
function valuesFor({ values, sentValues }: RecordedField, fields: TemplateFields): Scalar[] {
  if (!fields.usesRecordedValues || values.length === 0) return [...fields.values]
  const ranked = values
    // What users were recorded choosing is theirs to choose.
    .filter((value) => !sentValues.includes(value))
    .map((value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : value))
    .toSorted((a, b) => Number(PRIVILEGED.test(String(b))) - Number(PRIVILEGED.test(String(a))))
  return values.length > 1 ? ranked.slice(0, MOST) : [...ranked, ...fields.values]
}

const LOOSE =
  'The application keeps fields of any name here, as another test showed, and was never seen using one of this meaning.'

function textOfNothing(recorded: readonly RecordedField[]): string {
  const names = [...new Set(recorded.map(({ name }) => name))].slice(0, MOST_NAMES).join(', ')
  return recorded.some(({ isSent }) => isSent)
    ? `Users set ${names} themselves in recorded requests, so it is theirs to set.`
    : `The recorded values of ${names} leave none to try.`
}

function nothingToTry(text: string): FlowOutcome {
  const obstacle = { code: 'SKIPPING_EXECUTION_BECAUSE_FILTERS', text } as const
  return { validates: false, attempts: [], control: null, obstacle, isFinalCheck: false }
}

/**
 * A value that can take the place of one that was stored; null where none is known. The number after a recorded one may be
 * the identifier of a user whom the test has nothing to do with.
 */
function otherValue(
  { name, value }: Candidate,
  candidates: readonly Candidate[],
  fields: TemplateFields,
): Scalar | null {
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'number') return null
  if (fields.values.includes(value)) return value + 1
  const isOther = (one: Candidate): boolean =>
    one.name === name && typeof one.value === 'number' && one.value !== value
  return candidates.find(isOther)?.value ?? null
}

/**
 * What was stored permanently shows in the answer to the original request, too. Then the field must follow: with another
 * value the answer has that one.
 *
 * @param other the trial with the other value
 */
async function followed(other: Trial, flow: FlowOutcome): Promise<FlowOutcome> {
  const { control } = flow
  if (control?.kind !== 'unchanged' || control.confirms) return flow
  const record = await judgedWith(other)
  if (record?.validates !== true) return flow
  return { ...flow, control: { ...control, attempt: record, confirms: true, explanation: FOLLOWS } }
}

const FOLLOWS =
  'Control passed: the original request shows the value as well, because it was stored, and another value that is sent takes its place.'

function inventedNameFor(value: Scalar): string {
  if (typeof value === 'number') return INVENTED.number
  return typeof value === 'boolean' ? INVENTED.boolean : INVENTED.string
}

/** The trial with an invented name and the value of a candidate. */
function withInvented(trial: Trial, fields: TemplateFields, { value }: Candidate): Trial {
  return withField(trial, fields, inventedNameFor(value), value)
}

function withField(trial: Trial, fields: TemplateFields, name: string, value: Scalar): Trial {
  const variables = trial.variables.clone()
  variables.recapture(fields.variable, name)
  variables.recapture(`${fields.variable}_value`, value)
  return { ...trial, variables }
}

/** The first step of a test, sent and judged; null where it could not be built or sent. */
async function judgedWith(trial: Trial): Promise<AttemptRecord | null> {
  const { template, tools, endpoint, variables } = trial
  const [step] = template.execute.steps
  const condition = step?.validate ?? template.validate
  if (step === undefined || condition === null) return null
  try {
    await tools.undoWrites?.(template.id)
    const [built] = buildAttempts(step, trial.start, tools.environmentFor(template, endpoint, variables))
    if (built === undefined || 'failure' in built) return null
    return (await judge(trial, step, built.draft, condition, { captures: false })).record
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    if (error.code === 'PATTERN_OVER_BUDGET') throw error
    return null
  }
}

/**
 * Puts a field with an invented name in place of the field: an application that keeps it just the same keeps whatever
 * callers send, and gives it no meaning. Null where it could not be sent.
 */
async function inventedControl(trial: Trial, control: ControlRecord): Promise<ControlRecord | null> {
  const record = await judgedWith(trial)
  if (record === null) return null
  return record.validates
    ? { kind: 'invented', attempt: record, confirms: false, explanation: KEEPS_ANYTHING }
    : { ...control, explanation: `${control.explanation} A field with an invented name is not kept.` }
}

const KEEPS_ANYTHING =
  'A field with an invented name is kept just the same: the application keeps whatever callers send, and nothing shows that it reads this field.'
