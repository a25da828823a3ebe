import { Chip, Group, Table, Text } from '@mantine/core'
import type { ImportRow } from '../../../contract/browser.ts'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { Tag } from '../../components/tag.tsx'
import { pageTurns } from '../../data/list-address.ts'
import { outcomeTags } from './import-words.ts'
import classes from './report-rows.module.css'

interface ReportRowsProps {
  readonly rows: readonly ImportRow[]
  readonly total: number
  readonly outcomes: readonly string[]
  readonly page: number
  readonly pageSize: number
  readonly stale: boolean
  readonly onChange: (changes: Record<string, string | readonly string[]>) => void
}

/** Items of an import in the order of the file, filtered by outcome. */
export function ReportRows({ rows, total, outcomes, page, pageSize, stale, onChange }: ReportRowsProps) {
  return (
    <>
      <Chip.Group multiple value={[...outcomes]} onChange={(value) => onChange({ outcome: value })}>
        <Group gap="xs" p="sm" role="group" aria-label="Outcomes shown">
          {Object.entries(outcomeTags).map(([outcome, { word }]) => (
            <Chip key={outcome} value={outcome} size="xs" variant="outline">
              {word}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <CardFrame label="Items of the file">
        <Table aria-label="Items of the file" miw={640} aria-busy={stale} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Outcome</Table.Th>
              <Table.Th>Place in the file</Table.Th>
              <Table.Th>Item</Table.Th>
              <Table.Th>Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.position}>
                <Table.Td data-label="Outcome">
                  <Tag tone={outcomeTags[row.outcome].tone}>{outcomeTags[row.outcome].word}</Tag>
                </Table.Td>
                <Table.Td data-label="Place in the file" className={`${classes['code']} ${classes['place']}`}>
                  {row.place}
                </Table.Td>
                <Table.Td data-label="Item" className={classes['code']} miw={320}>
                  {row.what}
                </Table.Td>
                <Table.Td data-label="Reason">{row.reasons.join('; ') || '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      {rows.length === 0 && (
        <Text c="dimmed" ta="center" py="lg" role="status">
          {outcomes.length === 0 ? 'The file held no items.' : 'No item had this outcome.'}
        </Text>
      )}
      <Pager
        page={page}
        pageSize={pageSize}
        total={total}
        shown={rows.length}
        {...pageTurns(onChange)}
        what="items"
      />
    </>
  )
}
