import { evaluate } from '../../rules/index.ts'
import type { Severity } from '../template/index.ts'
import type { Trial } from './judge.ts'

/** The severity of a finding: the template's own, or the first rule of `dynamic_severity` that holds for the sample. */
export function severityOf(trial: Trial): Severity {
  const { info, severityRules } = trial.template
  const plain: Severity = info.severity === 'dynamic_severity' ? 'HIGH' : info.severity
  if (severityRules.length === 0) return plain
  const scene = {
    phase: 'filter',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: null,
    lookups: trial.tools.lookups,
  } as const
  for (const rule of severityRules) {
    // Captures of a rule must not reach the attempts.
    if (rule.check !== null && evaluate(rule.check, { ...scene, variables: trial.variables.clone() }).holds)
      return rule.severity
  }
  return severityRules.findLast((rule) => rule.check === null)?.severity ?? plain
}
