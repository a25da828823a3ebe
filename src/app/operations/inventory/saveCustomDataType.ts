import { saveDataType } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { ownConditions, wireDataType } from './wire-data-type.ts'

/** Creates or changes a data type. */
export const saveCustomDataType: Handler<'saveCustomDataType'> = async (input, { app, caller }) => {
  const saved = await saveDataType(
    app.store,
    {
      name: input.name,
      isActive: input.active,
      severity: input.severity,
      categories: input.categories,
      isAlwaysSensitive: input.sensitiveAlways,
      positions: input.sensitivePosition,
      isRedacted: input.redacted,
      operator: input.operator,
      keyConditions: ownConditions(input.keyConditions),
      valueConditions: ownConditions(input.valueConditions),
      description: input.description,
    },
    caller.login,
  )
  await app.inventory.refreshSettings()
  return { dataType: wireDataType(saved) }
}
