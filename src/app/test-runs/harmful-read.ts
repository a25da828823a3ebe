import { harmOf } from '../../http/harmful-words.ts'

/** Last segments of paths whose GET makes the data of an application anew: `/createdb`, `/reset`, `/seed-database`. */
const STARTS_OVER =
  /^(?:(?:drop|destroy|erase|purge|reset|truncate|wipe)|(?:clear|create|delete|drop|init|initiali[sz]e|populate|purge|re-?create|re-?load|reset|restore|seed|setup|truncate|wipe)[-_]?(?:all|data|database|db|everything|fixtures|schema|state|tables?))$/i

/**
 * What reading a path does beyond reading, as its last segment names it: nothing else on the application could be tested
 * afterwards. Null for an ordinary read.
 */
export function harmOfRead(path: string): 'ends the session' | 'makes the data anew' | null {
  const last = path.split('/').findLast((segment) => segment !== '') ?? ''
  if (last.includes('{')) return null
  if (STARTS_OVER.test(last)) return 'makes the data anew'
  return harmOf(last) === 'ends the session' ? 'ends the session' : null
}
