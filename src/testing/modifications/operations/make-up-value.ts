import { createHash } from 'node:crypto'
import { formDecoded } from '../../../kit/index.ts'
import { replaceLeaves } from '../../attempts/body-edits.ts'
import { type JsonTree, scalarText } from '../../attempts/json-tree.ts'
import { replaceQueryParameter } from '../../attempts/query-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `make_up_value: name` */
const makeUpValue: ModificationDefinition = {
  name: 'make_up_value',
  summary:
    'Replaces a value of the body or query by one of the same form that nobody has: other letters and digits, the same signs and length, and the domain of a mail address stays. The value is kept as ${made_up}.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key, _value, { variables }) {
    const name = textOf(key)
    const fresh = (old: string): string => {
      const made = madeUp(old)
      variables.set('made_up', made)
      return made
    }
    const inBody = replaceLeaves(draft, name, (old) =>
      isText(old) ? fresh(scalarText(old)) : (old as never),
    )
    const inQuery = replaceQueryParameter(draft, name, (old) => encodeURIComponent(fresh(formDecoded(old))))
    return inBody || inQuery ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'keeps the domain of a mail address',
      request:
        'POST /login HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"email":"ann.b7@shop.test"}',
      argument: 'email',
      becomes:
        'POST /login HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"email":"blv.e5egamz@shop.test"}',
    },
    {
      title: 'replaces a value of the query',
      request: 'POST /login?username=olga HTTP/1.1\nhost: shop.test\n\n',
      argument: 'username',
      becomes: 'POST /login?username=gcfhjqewn HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

function isText(tree: JsonTree): boolean {
  return typeof tree === 'string' || typeof tree === 'number'
}

/** The same text for the same value, so that a request can be repeated; long enough to be nobody's. */
function madeUp(value: string): string {
  const at = value.lastIndexOf('@')
  const [name, domain] = at > 0 ? [value.slice(0, at), value.slice(at)] : [value, '']
  const digest = createHash('sha256').update(`vigil ${name}`).digest()
  let used = 0
  const next = (): number => digest[used++ % digest.length]!
  const drawn = name.replaceAll(/[A-Za-z0-9]/g, (sign) => {
    if (/\d/.test(sign)) return String(next() % 10)
    const letter = String.fromCharCode(97 + (next() % 26))
    return /[A-Z]/.test(sign) ? letter.toUpperCase() : letter
  })
  // A short name may be somebody's: more letters make it nobody's, digits keep their number.
  const more = /^\W*\d[\d\W]*$/.test(name)
    ? ''
    : [...'vigil'].map(() => String.fromCharCode(97 + (next() % 26))).join('')
  return drawn + more + domain
}

export default makeUpValue
