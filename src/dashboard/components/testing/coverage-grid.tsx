import { Table, Text } from '@mantine/core'
import type { ResponseOf } from '../../../contract/browser.ts'
import { useTests } from '../../data/use-tests.ts'
import { EndpointLink } from '../endpoint/endpoint-link.tsx'
import { ScrollFrame } from '../table/scroll-frame.tsx'
import { Tag } from '../tag.tsx'
import { exactTime } from '../time-ago.tsx'

type Row = ResponseOf<'fetchCoverageMatrix'>['rows'][number]
type Cell = Row['cells'][number]

/** Checks of a cell that are planned and have no result yet. */
function waitingIn({ planned, vulnerable, passed, notVerified, needsConfiguration }: Cell): number {
  return Math.max(0, planned - vulnerable - passed - notVerified - needsConfiguration)
}

/** What a cell says: the worst that was found, and how much is left; null when nothing was tried. */
function cellWords(
  cell: Cell,
  isLive: boolean,
): { word: string; tone: 'red' | 'green' | 'orange' | 'gray' | 'blue' } | null {
  if (cell.vulnerable > 0) return { word: `${cell.vulnerable} found`, tone: 'red' }
  const waiting = waitingIn(cell)
  if (waiting > 0)
    return isLive
      ? { word: `${waiting} waiting`, tone: 'blue' }
      : { word: `${waiting} not run`, tone: 'orange' }
  const open = cell.notVerified + cell.needsConfiguration
  if (cell.passed > 0 && open > 0)
    return { word: `${cell.passed} passed, ${open} without a verdict`, tone: 'orange' }
  if (cell.passed > 0) return { word: `${cell.passed} passed`, tone: 'green' }
  if (cell.notVerified > 0) return { word: `${cell.notVerified} not verified`, tone: 'orange' }
  if (cell.needsConfiguration > 0)
    return { word: `${cell.needsConfiguration} need configuration`, tone: 'orange' }
  return cell.skipped > 0 ? { word: 'skipped', tone: 'gray' } : null
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
}

/** Endpoints by families of tests, with what each pair came to. */
export function CoverageGrid({ label, categories, rows, isLive = false }: CoverageGridProps) {
  const { data } = useTests()
  const names = new Map(
    data?.tests.map(({ superCategory }) => [superCategory.name, superCategory.shortName]) ?? [],
  )
  return (
    <ScrollFrame label={label}>
      <Table
        aria-label={label}
        miw={`calc(min(280px, 45vw) + ${categories.length * 110}px)`}
        verticalSpacing={4}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw="min(280px, 45vw)">Endpoint</Table.Th>
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
                <Table.Td key={category}>
                  <GridCell cell={cells.find((cell) => cell.category === category)} isLive={isLive} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollFrame>
  )
}

function GridCell({ cell, isLive }: { readonly cell: Cell | undefined; readonly isLive: boolean }) {
  const words = cell === undefined ? null : cellWords(cell, isLive)
  if (cell === undefined || words === null)
    return (
      <Text span size="xs" c="dimmed">
        –
      </Text>
    )
  return (
    <span title={fullText(cell, isLive)}>
      <Tag tone={words.tone}>{words.word}</Tag>
    </span>
  )
}
