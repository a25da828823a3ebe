import { list, text } from '../schema.ts'

/** The list of problems that some answers carry with status 200. */
export const actionErrors = list(text(), { description: 'Problems of this call; empty on success.' })
