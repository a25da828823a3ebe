import type { DataType, RequestBodyOf } from '../../../../contract/browser.ts'

/** How a data type compares names or values. */
export type PredicateType = NonNullable<DataType['keyConditions']>['predicates'][number]['type']

/** One condition as it was typed. */
export interface PredicateDraft {
  readonly type: PredicateType
  readonly value: string
}

/** Conditions on names or on values, joined. */
export interface ConditionsDraft {
  readonly operator: 'AND' | 'OR'
  readonly predicates: readonly PredicateDraft[]
}

/** A data type as a form holds it. */
export interface DataTypeDraft
  extends Pick<
    DataType,
    'name' | 'active' | 'severity' | 'sensitiveAlways' | 'sensitivePosition' | 'redacted' | 'operator'
  > {
  readonly categories: string[]
  readonly description: string
  readonly key: ConditionsDraft
  readonly value: ConditionsDraft
}

/** A data type with nothing in it. */
export const emptyDataType: DataTypeDraft = {
  name: '',
  active: true,
  severity: 'MEDIUM',
  categories: [],
  sensitiveAlways: true,
  sensitivePosition: [],
  redacted: false,
  operator: 'AND',
  description: '',
  key: { operator: 'OR', predicates: [] },
  value: { operator: 'OR', predicates: [] },
}

/** A stored data type as a form shows it. */
export function draftOf(type: DataType): DataTypeDraft {
  return {
    name: type.name,
    active: type.active,
    severity: type.severity,
    categories: type.categories,
    sensitiveAlways: type.sensitiveAlways,
    sensitivePosition: type.sensitivePosition,
    redacted: type.redacted,
    operator: type.operator,
    description: type.description ?? '',
    key: type.keyConditions ?? emptyDataType.key,
    value: type.valueConditions ?? emptyDataType.value,
  }
}

/** A form as the call takes it; conditions without any predicate are absent. */
export function requestOf(draft: DataTypeDraft): RequestBodyOf<'saveCustomDataType'> {
  const sent = ({ operator, predicates }: ConditionsDraft) =>
    predicates.length === 0 ? null : { operator, predicates: predicates.map((one) => ({ ...one })) }
  const { key, value, description, sensitiveAlways, sensitivePosition, ...same } = draft
  return {
    ...same,
    sensitiveAlways,
    sensitivePosition: sensitiveAlways ? [] : sensitivePosition,
    keyConditions: sent(key),
    valueConditions: sent(value),
    description: description.trim() === '' ? null : description.trim(),
  }
}

/** What still has to be given; null when the form can be saved. */
export function missingIn(draft: DataTypeDraft, isBuiltIn: boolean): string | null {
  if (!draft.sensitiveAlways && draft.sensitivePosition.length === 0) {
    return 'Choose at least one position at which it is sensitive, or "everywhere".'
  }
  if (isBuiltIn) return null
  const predicates = [...draft.key.predicates, ...draft.value.predicates]
  if (predicates.length === 0) return 'Add at least one condition on the name or on the value.'
  if (predicates.some(({ type, value }) => type !== 'IS_NUMBER' && value === '')) {
    return 'Each condition needs a text.'
  }
  return null
}
