import { isVersion } from '../../path-templates/index.ts'
import type { DeclaredOperation } from '../../traffic/index.ts'

/** Segments after which a whole segment that holds a version is that of the interface. */
const BEFORE_VERSION = /^(?:|api|apis|rest|ws|services?)$/i
/** Names of parameters that are versions of the interface: `v`, `version`, `api-version`. */
const VERSION_NAME = /^(?:(?:api|service|interface)[-_.]?)?v(?:er(?:sion)?)?(?:[-_.]?(?:id|no|number))?$/i
const PARAMETER = /\{([^{}*]+)\}/

/**
 * A documented operation once for each version of the interface that it names as a parameter (`/api/v{version}/orders`
 * of the versions 1 and 2): versions are separate addresses, not values. The operation as it is where it names none,
 * or does not say which. A number, and an example beside which there may be others, is one only by the name of its parameter.
 */
export function operationsOfVersions(operation: DeclaredOperation): readonly DeclaredOperation[] {
  const segments = operation.path.split('/')
  const at = segments.findIndex((segment) => PARAMETER.test(segment))
  const [written, name] = PARAMETER.exec(segments[at] ?? '') ?? []
  if (written === undefined || operation.target !== undefined) return [operation]
  const segment = segments[at]!
  const before = segments[at - 1] ?? ''
  if (segment === written && !BEFORE_VERSION.test(before)) return [operation]
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
  const values = parameter?.choices ?? (parameter?.example === undefined ? [] : [parameter.example])
  const texts = values.map((value) => segment.replace(written, value))
  const isLast = at === segments.length - 1
  if (texts.length === 0 || !texts.every((text) => isVersion(text, before, isLast))) return [operation]
  const mayBeOther = parameter?.choices === undefined || texts.some((text) => /^\d/.test(text))
  if (mayBeOther && !VERSION_NAME.test(name!)) return [operation]
  const parameters = operation.parameters.filter((one) => one !== parameter)
  return texts.map((text) => ({ ...operation, path: segments.with(at, text).join('/'), parameters }))
}
