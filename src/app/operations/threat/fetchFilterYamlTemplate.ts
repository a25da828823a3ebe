import { listFilters } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { wireFilter } from './wire-filter.ts'

export const fetchFilterYamlTemplate: Handler<'fetchFilterYamlTemplate'> = async (_input, { app }) => ({
  templates: (await listFilters(app.store.pool)).map(wireFilter),
})
