import { picturesOf } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Pictures of the last recorded login of a role. */
export const fetchRecordedLoginScreenshots: Handler<'fetchRecordedLoginScreenshots'> = async (
  input,
  { app },
) => {
  const roleName = input.roleName.trim()
  if (roleName === '') throw new Failure('FLOW_ROLE_REQUIRED', {})
  const pictures = await picturesOf(app.store, roleName)
  return {
    screenshotsBase64: pictures.map(({ picture }) => picture.toString('base64')),
    screenshotsUpdatedAt: pictures.at(-1)?.takenAt ?? 0,
    roleName,
  }
}
