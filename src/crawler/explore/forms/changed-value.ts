import type { FieldValue, PageField } from '../page/survey-types.ts'

/** Longest value that a survey shows whole. */
const WHOLE = 199
/** What people sign in with, and what other systems are reached by: a changed one locks somebody out. */
const keys = /user|log-?in|e-?mail|pass|phone|key|token|secret|\burl\b|\bid\b|\bhost/

/**
 * A value like the one that a field shows, and different from it: forms of things that exist have nothing to save
 * before. Null for a field that is empty, and for what people sign in with.
 */
export function changedValue(field: PageField): FieldValue | null {
  const { index, type, value, maxLength } = field
  if (keys.test(`${field.name} ${field.id} ${field.label}`.toLowerCase())) return null
  if (type === 'select') {
    const other = field.options.find((option) => !option.isDisabled && !['', value].includes(option.value))
    return other ? { index, text: other.value } : null
  }
  if (!/^(?:text|textarea|number)$/.test(type) || value === '' || value.length > WHOLE) return null
  if (/^\d{1,9}$/.test(value)) return { index, text: otherNumber(field) }
  if (type === 'number') return null
  const room = maxLength > 0 ? maxLength - 2 : WHOLE
  return { index, text: `${value.slice(0, room)}-2` }
}

function otherNumber({ value, step, max }: PageField): string {
  const width = Number.parseFloat(step) || 1
  const next = Number(value) + width
  return String(max !== '' && next > Number.parseFloat(max) ? Number(value) - width : next)
}
