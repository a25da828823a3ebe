import { saveDataType } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { dataTypeOf } from './data-type-of.ts'
import { wireDataType } from './wire-data-type.ts'

/** Creates or changes a data type. */
export const saveCustomDataType: Handler<'saveCustomDataType'> = async (input, { app, caller }) => {
  const saved = await saveDataType(app.store, dataTypeOf(input), caller.login)
  await app.inventory.refreshSettings()
  return { dataType: wireDataType(saved) }
}
