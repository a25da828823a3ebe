import { setAtPath } from '../../attempts/body-edits.ts'
import type { OwnName } from '../../attempts/environment.ts'
import { isScalar, readTree, scalarText } from '../../attempts/json-tree.ts'
import { replaceQueryParameter } from '../../attempts/query-edits.ts'
import type { RequestDraft } from '../../attempts/request-draft.ts'
import { replaceSegment } from '../../attempts/url-edits.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `use_own_parents: 1` */
const useOwnParents: ModificationDefinition = {
  name: 'use_own_parents',
  summary:
    "Keeps the identifier of the recorded object and names it below what the attacker's own recorded request to the endpoint names: `/projects/OWN/items/OTHERS`. The argument is the number of the combination, from 1; the object below all own parents comes first. There is no attempt for a number beyond the last one. A request that writes is not sent: what it would change there may be another object.",
  arguments: ['single'],
  canFail: true,
  apply(draft, key, _value, environment) {
    const mixes = environment.ownParents()
    if (mixes.length === 0)
      return {
        failure:
          'no request of the attacker to this endpoint was recorded that names its own object below another parent',
      }
    const mix = mixes[Number(textOf(key)) - 1]
    if (mix === undefined) return 'left out'
    for (const parent of mix.parents) place(draft, parent)
    return 'done'
  },
  cases: [
    {
      title: 'names the item of somebody else below an own project',
      request: 'GET /projects/7/items/12 HTTP/1.1\nhost: shop.test\n\n',
      argument: 1,
      becomes: 'GET /projects/9/items/12 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'replaces a parent in the query and in the body',
      request:
        'POST /items/12/search?project=7 HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"item":12,"owner":{"team_id":4}}',
      argument: 2,
      becomes:
        'POST /items/12/search?project=9 HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"item":12,"owner":{"team_id":5}}',
    },
  ],
}

function place(draft: RequestDraft, { in: part, name, own }: OwnName): void {
  if (part === 'path') draft.url = replaceSegment(draft.url, Number(name), encodeURIComponent(own))
  else if (part === 'query') replaceQueryParameter(draft, name, () => encodeURIComponent(own))
  else setAtPath(draft, name, isNumberAt(draft, name) && /^\d{1,15}$/.test(own) ? Number(own) : own)
}

/** Whether the field of a body holds a number. */
function isNumberAt(draft: RequestDraft, path: string): boolean {
  const tree = path
    .split('.')
    .reduce((at, name) => (at instanceof Map ? at.get(name) : undefined), readTree(draft.body.text))
  return tree !== undefined && isScalar(tree) && typeof tree !== 'string' && /^\d+$/.test(scalarText(tree))
}

export default useOwnParents
