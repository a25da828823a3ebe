import { openByCollection } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { byId } from './wire-collection.ts'

/** Counts open issues by severity, per collection that the caller may see. */
export const getSeverityInfoForCollections: Handler<'getSeverityInfoForCollections'> = async (
  _input,
  { app, caller },
) => byId(await openByCollection(app.store, caller.collectionIds), (counts) => counts)
