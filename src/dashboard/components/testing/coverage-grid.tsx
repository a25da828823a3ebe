import { Anchor, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { useTests } from '../../data/use-tests.ts'
import { EndpointLink } from '../endpoint/endpoint-link.tsx'
import { endpointLabel } from '../endpoint/path-parts.ts'
import { CardFrame } from '../table/card-frame.tsx'
import { Tag, type TagTone } from '../tag.tsx'
import { exactTime } from '../time-ago.tsx'
import type { VerdictMode } from './verdict.tsx'

type Row = ResponseOf<'fetchCoverageMatrix'>['rows'][number]
type Cell = Row['cells'][number]

/** Checks of a cell that are planned and have no result yet. */
function waitingIn({ planned, vulnerable, passed, notVerified, needsConfiguration }: Cell): number {
  return Math.max(0, planned - vulnerable - passed - notVerified - needsConfiguration)
}

interface CellWords {
  readonly word: string
  readonly tone: TagTone
  /** The list of the results that the word counts first; none where there is no result yet. */
  readonly mode: VerdictMode | null
}

/** What a cell says: the worst that was found, and how much is left; null when nothing was tried. */
function cellWords(cell: Cell, isLive: boolean): CellWords | null {
  if (cell.vulnerable > 0) return { word: `${cell.vulnerable} found`, tone: 'red', mode: 'VULNERABLE' }
  const waiting = waitingIn(cell)
  if (waiting > 0)
    return isLive
      ? { word: `${waiting} waiting`, tone: 'blue', mode: null }
      : { word: `${waiting} not run`, tone: 'orange', mode: null }
  const open = cell.notVerified + cell.needsConfiguration
  if (cell.passed > 0 && open > 0)
    return { word: `${cell.passed} passed, ${open} without a verdict`, tone: 'orange', mode: 'SECURED' }
  if (cell.passed > 0) return { word: `${cell.passed} passed`, tone: 'green', mode: 'SECURED' }
  if (cell.notVerified > 0)
    return {
      word: `${cell.notVerified} not verified`,
      tone: 'orange',
      mode: 'SKIPPED_EXEC_API_REQUEST_FAILED',
    }
  if (cell.needsConfiguration > 0)
    return {
      word: `${cell.needsConfiguration} need configuration`,
      tone: 'orange',
      mode: 'SKIPPED_EXEC_NEED_CONFIG',
    }
  return cell.skipped > 0 ? { word: 'skipped', tone: 'gray', mode: 'SKIPPED_EXEC' } : null
}

function fullText(cell: Cell, isLive: boolean): string {
  const parts = [
    [cell.vulnerable, 'found'],
    [cell.passed, 'passed'],
    [cell.notVerified, 'not verified'],
    [cell.needsConfiguration, 'need configuration'],
    [cell.skipped, 'skipped'],
    [waitingIn(cell), isLive ? 'waiting' : 'not run'],
  ] as const
  const told = parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []))
  const when = cell.lastTestedAt > 0 ? `; last tested ${exactTime(cell.lastTestedAt)}` : ''
  return told.join(', ') + when
}

interface CoverageGridProps {
  readonly label: string
  readonly categories: readonly string[]
  readonly rows: readonly Row[]
  /** Checks without a result are still to come; else they were not run. */
  readonly isLive?: boolean
  /** What the link of a cell leads to: "Show the results". */
  readonly leadsTo: string
  /** Its address. */
  readonly linkOf: (endpoint: Row['apiInfoKey'], category: string, mode: VerdictMode) => string
}

/** Endpoints by families of tests, with what each pair came to. */
export function CoverageGrid({
  label,
  categories,
  rows,
  isLive = false,
  leadsTo,
  linkOf,
}: CoverageGridProps) {
  const { data } = useTests()
  const names = new Map(
    data?.tests.map(({ superCategory }) => [superCategory.name, superCategory.shortName]) ?? [],
  )
  return (
    <CardFrame label={label}>
      <Table aria-label={label} miw={280 + categories.length * 110} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw={280}>Endpoint</Table.Th>
            {categories.map((category) => (
              <Table.Th key={category}>{names.get(category) ?? category}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ apiInfoKey, cells }) => (
            <Table.Tr key={`${apiInfoKey.apiCollectionId} ${apiInfoKey.method} ${apiInfoKey.url}`}>
              <Table.Th scope="row" fw={400}>
                <EndpointLink endpointKey={apiInfoKey} />
              </Table.Th>
              {categories.map((category) => (
                <GridCell
                  key={category}
                  cell={cells.find((cell) => cell.category === category)}
                  family={names.get(category) ?? category}
                  endpoint={endpointLabel(apiInfoKey)}
                  isLive={isLive}
                  leadsTo={leadsTo}
                  linkOf={(mode) => linkOf(apiInfoKey, category, mode)}
                />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

interface GridCellProps {
  readonly cell: Cell | undefined
  /** Name of the family of tests, and label of the endpoint. */
  readonly family: string
  readonly endpoint: string
  readonly isLive: boolean
  readonly leadsTo: string
  readonly linkOf: (mode: VerdictMode) => string
}

function GridCell({ cell, family, endpoint, isLive, leadsTo, linkOf }: GridCellProps) {
  const words = cell === undefined ? null : cellWords(cell, isLive)
  if (cell === undefined || words === null)
    return (
      <Table.Td data-empty>
        <Text span size="xs" c="dimmed">
          –
        </Text>
      </Table.Td>
    )
  const tag = <Tag tone={words.tone}>{words.word}</Tag>
  const title = fullText(cell, isLive)
  return (
    <Table.Td data-label={family}>
      {words.mode === null ? (
        <span title={title}>{tag}</span>
      ) : (
        <Anchor
          component={Link}
          to={linkOf(words.mode)}
          underline="never"
          title={`${title}. ${leadsTo}`}
          aria-label={`${family} at ${endpoint}: ${words.word}. ${leadsTo}`}
        >
          {tag}
        </Anchor>
      )}
    </Table.Td>
  )
}
