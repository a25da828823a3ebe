import type { KeyKind } from '../../../../contract/browser.ts'
import type { PlainKey } from '../../../i18n/translate.ts'

/** Kinds of keys by what they open. */
export const keyKinds: readonly { value: KeyKind; label: PlainKey }[] = [
  { value: 'EXTERNAL_API', label: 'keys.scopeAll' },
  { value: 'CICD', label: 'keys.scopeBuilds' },
  { value: 'BURP', label: 'keys.scopeBurp' },
]
