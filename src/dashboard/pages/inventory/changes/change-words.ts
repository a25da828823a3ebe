import type { EndpointChange } from '../../../../contract/browser.ts'
import type { TagTone } from '../../../components/tag.tsx'

interface ChangeLook {
  readonly label: string
  readonly tone: TagTone
}

/** How each kind of change is shown. */
export const changeLooks: Record<EndpointChange['kind'], ChangeLook> = {
  NEW_ENDPOINT: { label: 'New endpoint', tone: 'green' },
  NEW_PARAMETER: { label: 'New parameter', tone: 'blue' },
  NEW_SENSITIVE_DATA: { label: 'Sensitive data found', tone: 'red' },
  NEW_AUTH_TYPE: { label: 'New authentication', tone: 'orange' },
  NEW_ACCESS_TYPE: { label: 'New access', tone: 'orange' },
  TEMPLATE_MERGED: { label: 'Addresses merged', tone: 'violet' },
  TEMPLATE_SPLIT: { label: 'Addresses split', tone: 'violet' },
  TEMPLATE_PINNED: { label: 'Address pinned', tone: 'violet' },
}
