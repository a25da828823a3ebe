import { integer, list, text } from '../schema.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'
import { endpointKey } from './endpoint-key.ts'

export const inventoryObject = wideRecord(
  'InventoryObject',
  'Shared answer of the inventory operations.',
  {
    ...filledEach(
      [
        'endpoints',
        'notTestedEndpointsCount',
        'newCount',
        'oldCount',
        'onlyOnceTestedEndpointsCount',
        'skip',
        'limit',
        'sortOrder',
        'apiCollectionId',
      ],
      integer(),
      0,
    ),
    ...filledEach(
      [
        'method',
        'description',
        'url',
        'urls',
        'sortKey',
        'response',
        'severitiesCountPerCollection',
        'accessTypes',
        'summaryInfoForChanges',
        'filters',
        'deMergedApis',
        'filterOperators',
        'severityMapForCollection',
      ],
      text(),
      null,
    ),
    listOfEndpointsInCollection: filled(list(endpointKey), null),
  },
  ['apiCollectionId'],
)
