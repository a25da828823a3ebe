import { Anchor, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { EndpointKey } from '../../../contract/browser.ts'
import { endpointAddress } from './endpoint-address.ts'
import { MethodTag } from './method-tag.tsx'
import { PathText } from './path-text.tsx'

/** Method and path of an endpoint as a link to its page. */
export function EndpointLink({ endpointKey }: { endpointKey: EndpointKey }) {
  return (
    <Group gap={8} wrap="nowrap" align="baseline">
      <MethodTag method={endpointKey.method} />
      <Anchor component={Link} to={endpointAddress(endpointKey)} size="sm">
        <PathText url={endpointKey.url} isTemplate />
      </Anchor>
    </Group>
  )
}
