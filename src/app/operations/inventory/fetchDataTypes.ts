import { listDataTypes } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { wireDataType } from './wire-data-type.ts'

/** Lists the data types. */
export const fetchDataTypes: Handler<'fetchDataTypes'> = async (_input, { app }) => ({
  dataTypes: (await listDataTypes(app.store)).map(wireDataType),
})
