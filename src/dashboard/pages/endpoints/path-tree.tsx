import { ActionIcon, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { EndpointOverview } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { type PathNode, pathTree } from './path-nodes.ts'
import classes from './path-tree.module.css'

interface PathTreeProps {
  readonly collectionId: number
  /** States of the endpoints that the table shows. */
  readonly states: EndpointOverview['state'][]
  /** The path that is chosen; empty for none. */
  readonly chosen: string
  readonly onChoose: (prefix: string) => void
}

/** The paths of a collection as a tree beside its table; a node narrows the table to what is below it. */
export function PathTree({ collectionId, states, chosen, onChoose }: PathTreeProps) {
  const { data, error, refetch } = useRead('fetchCollectionWiseApiEndpoints', {
    apiCollectionId: collectionId,
    state: states,
  })
  const nodes = useMemo(
    () => pathTree((data?.listOfEndpointsInCollection ?? []).map(({ url }) => url)),
    [data],
  )
  return (
    <Paper withBorder p="sm" component="section" aria-label="Paths" className={classes['frame']}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Paths
        </Title>
        {chosen !== '' && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChoose('')}>
            All paths
          </Button>
        )}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={160} />}
      {data && <Branch nodes={nodes} chosen={chosen} onChoose={onChoose} isTop />}
    </Paper>
  )
}

interface BranchProps {
  readonly nodes: readonly PathNode[]
  readonly chosen: string
  readonly onChoose: (prefix: string) => void
  readonly isTop?: boolean
}

function Branch({ nodes, chosen, onChoose, isTop = false }: BranchProps) {
  return (
    <ul className={classes['branch']} data-top={isTop || undefined}>
      {nodes.map((node) => (
        <Node key={node.prefix} node={node} chosen={chosen} onChoose={onChoose} />
      ))}
    </ul>
  )
}

function Node({ node, chosen, onChoose }: Omit<BranchProps, 'nodes'> & { node: PathNode }) {
  const { name, prefix, endpoints, children } = node
  const [isOpen, setOpen] = useState(`${chosen}/`.startsWith(`${prefix}/`))
  return (
    <li>
      <div className={classes['node']} data-chosen={prefix === chosen || undefined}>
        {children.length === 0 ? (
          <span className={classes['leaf']} />
        ) : (
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={`${isOpen ? 'Close' : 'Open'} ${prefix}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        )}
        <button
          type="button"
          className={classes['name']}
          aria-pressed={prefix === chosen}
          onClick={() => onChoose(prefix === chosen ? '' : prefix)}
        >
          {name}
        </button>
        <Text span size="xs" c="dimmed">
          {countText(endpoints)}
        </Text>
      </div>
      {isOpen && children.length > 0 && <Branch nodes={children} chosen={chosen} onChoose={onChoose} />}
    </li>
  )
}
