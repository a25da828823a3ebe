import type { DetectedType, ValueContext } from './detector.ts'
import { Detector } from './detector.ts'
import { DATA_TYPES } from './registry.generated.ts'

const builtIn = new Detector(DATA_TYPES)

/**
 * Built-in data types of one value with a confidence of at least 60, the surest first. Texts longer than 4 KiB are
 * searched in their first 4 KiB. Custom types are evaluated apart (`compileCustomTypes`).
 */
export function detectDataTypes(value: string, context: ValueContext): readonly DetectedType[] {
  return builtIn.detect(value, context)
}
