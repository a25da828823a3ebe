import { harmOf } from '../../http/harmful-words.ts'

/** Segments of paths whose GET makes the data of an application anew: `/createdb`, `/reset`, `/seed-database`. */
const STARTS_OVER =
  /^(?:(?:drop|destroy|erase|purge|reset|truncate|wipe)|(?:clear|create|delete|drop|init|initiali[sz]e|populate|purge|re-?create|re-?load|reset|restore|seed|setup|truncate|wipe)[-_]?(?:all|data|database|db|everything|fixtures|schema|state|tables?))$/i

/** Last segments whose GET deletes the object that a parameter before them names: `/users/{id}/delete`. */
const DELETES = /^(?:delete|destroy|remove)$/i
/** What names a file's type, not what the file does. */
const EXTENSION = /\.[a-z][a-z0-9]{0,4}$/i

/**
 * What reading a path does beyond reading, as its last two fixed segments name it: nothing else on the application could
 * be tested afterwards, or an object is gone. Null for an ordinary read, and for one of what a last parameter names.
 */
export function harmOfRead(
  path: string,
): 'ends the session' | 'makes the data anew' | 'deletes what it names' | null {
  const segments = path.split('/').filter((segment) => segment !== '')
  const isFixed = (segment: string): boolean => !segment.includes('{')
  if (!isFixed(segments.at(-1) ?? '')) return null
  const named = segments.filter(isFixed).map((segment) => segment.replace(EXTENSION, ''))
  const words = named.slice(-2)
  if (named.length < segments.length && DELETES.test(named.at(-1) ?? '')) return 'deletes what it names'
  if (words.some((word) => STARTS_OVER.test(word))) return 'makes the data anew'
  return words.some((word) => harmOf(word) === 'ends the session') ? 'ends the session' : null
}
