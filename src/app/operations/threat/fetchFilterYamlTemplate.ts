import { listFilters } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { wireFilter } from './wire-filter.ts'

export const fetchFilterYamlTemplate: Handler<'fetchFilterYamlTemplate'> = async (input, { app }) => {
  const templates = (await listFilters(app.store.pool)).map(wireFilter)
  if (input.withContent) return { templates }
  return { templates: templates.map((one) => ({ ...one, content: '', shipped: null })) }
}
