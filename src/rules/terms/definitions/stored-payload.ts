import type { Scene } from '../../conditions/scene.ts'
import { BodyView } from '../../messages/body-view.ts'
import { term } from '../term.ts'

const NOTHING = new BodyView({ body: '' }, '', '')

/** The body of a later read that showed the object. */
function storedBody({ stored }: Scene): BodyView {
  const isShown = stored !== undefined && stored !== null && stored.status >= 200 && stored.status < 300
  return isShown ? stored.responseBody : NOTHING
}

export default term({
  name: 'stored_payload',
  summary:
    'What an object holds after a write, read with the credentials of the recorded user: leaves of its tree by `key` and `value`, or the whole text. Empty where it cannot be read.',
  called: 'stored object',
  itemCalled: 'stored field',
  whole: (scene) => storedBody(scene).text,
  body: storedBody,
  named: (scene) => storedBody(scene).named,
})
