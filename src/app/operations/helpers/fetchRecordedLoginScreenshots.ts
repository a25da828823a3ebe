import { picturesOf } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Pictures of the last recorded login of a role; of the caller's own for those restricted to some collections. */
export const fetchRecordedLoginScreenshots: Handler<'fetchRecordedLoginScreenshots'> = async (
  input,
  { app, caller },
) => {
  const roleName = input.roleName.trim()
  if (roleName === '') throw new Failure('FLOW_ROLE_REQUIRED', {})
  const pictures = await picturesOf(app.store, roleName, caller.collectionIds === null ? null : caller.userId)
  return {
    screenshotsBase64: pictures.map(({ picture }) => picture.toString('base64')),
    screenshotsUpdatedAt: pictures.at(-1)?.takenAt ?? 0,
    roleName,
  }
}
