import type { Step } from '../template/index.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord } from './pair-result.ts'
import { type FoundPositions, type Position, positionsOf, sentAt } from './positions.ts'
import { probe, takesValues } from './reaction.ts'
import { type FlowOutcome, runFlow } from './run-flow.ts'
import type { StepOutcome } from './run-step.ts'

/** One position while it is tried. */
export interface PositionTrial {
  readonly position: Position
  /** Outcomes of steps that do not concern the position: they are sent once for all positions. */
  readonly common: Map<Step, StepOutcome>
}

/** Holds the recorded value of the position, for payloads that must begin with one that the application takes. */
const POSITION_VALUE = 'position_value'

/**
 * Runs the steps of a test: once, or for every position of the request that the test names until one validates. Likely
 * positions get every payload, the others the first, and the rest when they react to it.
 *
 * @throws Failure SEND_STOPPED, PATTERN_OVER_BUDGET
 */
export async function runPositions(trial: Trial): Promise<FlowOutcome> {
  const spec = trial.template.positions
  if (spec === null) return runFlow(trial)
  const found = await realPositions(trial, positionsOf(trial.sample, trial.endpoint.url, spec))
  const common = new Map<Step, StepOutcome>()
  const callbacks: string[] = []
  const outcomes: FlowOutcome[] = []
  const probes: AttemptRecord[] = []
  try {
    for (const position of found.positions) {
      if (spec.probe !== null && !position.isOpen) {
        const record = await probe(trial, position, spec.probe)
        if (record !== null) probes.push(record)
        if (!position.isOpen) {
          position.isCut = true
          continue
        }
      }
      const variables = trial.variables.clone()
      variables.recapture(spec.variable, position.name)
      const value = sentAt(position, trial.sample)
      const isRaw = position.part === 'body' || position.part === 'header'
      variables.set(POSITION_VALUE, isRaw ? value : encodeURIComponent(value))
      const outcome = await runFlow({ ...trial, variables, place: { position, common } })
      outcomes.push(outcome)
      const ids = variables.get('random_uuid')
      if (Array.isArray(ids)) callbacks.push(...ids.map(String))
      if (outcome.validates) break
    }
  } finally {
    if (callbacks.length > 0) trial.variables.set('random_uuid', callbacks)
  }
  return together(outcomes, found, probes, spec.recorded !== null)
}

/** Without the fixed parts of a path that the application does not take values in. */
async function realPositions(trial: Trial, found: FoundPositions): Promise<FoundPositions> {
  const positions: Position[] = []
  for (const position of found.positions)
    if (position.isGuess !== true || (await takesValues(trial, position))) positions.push(position)
  return { ...found, positions }
}

function together(
  outcomes: readonly FlowOutcome[],
  found: FoundPositions,
  probes: readonly AttemptRecord[],
  asks: boolean,
): FlowOutcome {
  const attempts = [...probes, ...outcomes.flatMap((outcome) => outcome.attempts)]
  const last = outcomes.at(-1)
  if (last?.validates) return { ...last, attempts }
  const isSent = attempts.length > 0
  const obstacles = outcomes.flatMap(({ obstacle }) => (obstacle === null ? [] : [obstacle]))
  const obstacle = obstacles.find(({ isUnchanged }) => !(isSent && isUnchanged === true)) ?? null
  return {
    validates: false,
    attempts,
    control: null,
    obstacle: obstacle ?? (found.beyond > 0 ? tooMany(found) : isSent ? null : nothingToTry(found, asks)),
    isFinalCheck: false,
    tried: found,
  }
}

function tooMany({ positions, beyond }: FoundPositions): FlowOutcome['obstacle'] {
  const text = `The request has ${positions.length + beyond} parameters; the first ${positions.length} were tried and show no weakness.`
  return { code: 'NO_API_REQUEST', text }
}

/** @param asks the test tries only recorded values of a certain form */
function nothingToTry({ secrets }: FoundPositions, asks: boolean): FlowOutcome['obstacle'] {
  const why =
    secrets.length > 0
      ? `${secrets.join(', ')} is left out, because every wrong password counts towards a lockout of the recorded account, and with another one its user could not sign in`
      : asks
        ? 'no parameter was recorded with a value of the form that the test changes'
        : 'no parameter of the recorded request holds a text or a number, and its path takes no other values'
  return { code: 'NO_API_REQUEST', text: `The attack request could not be built: ${why}.`, isUnchanged: true }
}

/** What was tried in vain, as a sentence. */
export function triedSentence({ positions, secrets }: FoundPositions, attempts: number): string {
  const parameters = positions.length === 1 ? '1 parameter' : `${positions.length} parameters`
  const silent = positions.filter(({ isCut }) => isCut === true).length
  const cut =
    silent === 0
      ? ''
      : ` ${silent} of ${positions.length} got only a first text, because the answer did not react to it.`
  const left =
    secrets.length === 0
      ? ''
      : ` Left out: ${secrets.join(', ')}, because every wrong password counts towards a lockout, and with another one its user could not sign in.`
  return `${parameters} tried with ${attempts} ${attempts === 1 ? 'request' : 'requests'}, and no answer shows the weakness.${cut}${left}`
}
