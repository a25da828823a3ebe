import { replaceLeaves } from '../../attempts/body-edits.ts'
import { replaceQueryParameter } from '../../attempts/query-edits.ts'
import type { RequestDraft } from '../../attempts/request-draft.ts'
import { signInFields } from '../../writes/sign-in.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** A password that is to be set, and its repetition. */
const NEW =
  /^(?:new_?)?(?:password|passwd|pwd)(?:_?(?:new|confirm|confirmation|repeat|repeated|again))?$|^(?:confirm|repeat)_?(?:password|passwd|pwd)$/i

/** `change_password: text` */
const changePassword: ModificationDefinition = {
  name: 'change_password',
  summary:
    'Gives the fields of the body and the query that set a password another one. A request without such a field stays as it is, and so does one with another secret, such as the old password: who sends it must know it.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    const secrets = signInFields(draft).filter(({ isSecret }) => isSecret)
    if (secrets.some(({ name }) => !NEW.test(name)) || provesOldOne(secrets)) return 'done'
    for (const { name } of secrets) replaceSecret(draft, name, textOf(key))
    return 'done'
  },
  cases: [
    {
      title: 'changes a password and its repetition',
      request:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"new_password":"a1","confirm_password":"a1"}',
      argument: 'b2',
      becomes:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"new_password":"b2","confirm_password":"b2"}',
    },
    {
      title: 'leaves a request alone that proves the old password',
      request:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"old_password":"a1","new_password":"b2"}',
      argument: 'c3',
      becomes:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"old_password":"a1","new_password":"b2"}',
    },
    {
      title: 'takes a password beside a new one for the old one',
      request:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"password":"a1","new_password":"b2"}',
      argument: 'c3',
      becomes:
        'PUT / HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"password":"a1","new_password":"b2"}',
    },
  ],
}

/** A plain `password` beside a `new_password` is the old one. */
function provesOldOne(secrets: readonly { readonly name: string }[]): boolean {
  const isNew = ({ name }: { readonly name: string }): boolean => /^new/i.test(name) || /new$/i.test(name)
  return secrets.some(isNew) && secrets.some(({ name }) => /^(?:password|passwd|pwd)$/i.test(name))
}

function replaceSecret(draft: RequestDraft, name: string, text: string): void {
  replaceQueryParameter(draft, name, () => encodeURIComponent(text))
  replaceLeaves(draft, name, () => text)
}

export default changePassword
