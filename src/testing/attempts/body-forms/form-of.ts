import type { BodyForm } from './body-form.ts'
import { formBody } from './form-body.ts'
import { multipartBody } from './multipart-body.ts'
import { xmlBody } from './xml-body.ts'

/** The form of a content type; null for JSON and for what is sent as plain text. */
export function formOf(contentType: string): BodyForm | null {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return formBody
  if (type === 'multipart/form-data') return multipartBody
  if (type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml')) return xmlBody
  return null
}
