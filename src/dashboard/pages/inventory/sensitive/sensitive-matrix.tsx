import { Table, Text } from '@mantine/core'
import type { EndpointOverview } from '../../../../contract/browser.ts'
import { EndpointLink } from '../../../components/endpoint/endpoint-link.tsx'
import { RiskMeter } from '../../../components/endpoint/risk-meter.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { typesOfRows } from './types-of-rows.ts'

interface SensitiveMatrixProps {
  readonly rows: readonly EndpointOverview[]
  readonly stale: boolean
}

/** Endpoints by data types: each cell says in which direction the data travels. */
export function SensitiveMatrix({ rows, stale }: SensitiveMatrixProps) {
  const types = typesOfRows(rows)
  return (
    <CardFrame label="Sensitive data by endpoint">
      <Table
        aria-label="Sensitive data by endpoint"
        aria-busy={stale}
        highlightOnHover
        miw={420 + types.length * 110}
        verticalSpacing={7}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>Collection</Table.Th>
            <Table.Th>Risk</Table.Th>
            {types.map((type) => (
              <Table.Th key={type}>{type}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.id.apiCollectionId} ${row.id.method} ${row.id.url}`}>
              <Table.Td miw={260}>
                <EndpointLink endpointKey={row.id} />
              </Table.Td>
              <Table.Td data-label="Collection">{row.collectionName}</Table.Td>
              <Table.Td data-label="Risk">
                <RiskMeter score={row.riskScore} />
              </Table.Td>
              {types.map((type) => (
                <Directions key={type} row={row} type={type} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

function Directions({ row, type }: { readonly row: EndpointOverview; readonly type: string }) {
  const isSent = row.sensitiveInRequest.includes(type)
  const isReturned = row.sensitiveInResponse.includes(type)
  if (!isSent && !isReturned) {
    return (
      <Table.Td data-empty>
        <Text span size="sm" c="dimmed" aria-label="no">
          –
        </Text>
      </Table.Td>
    )
  }
  return (
    <Table.Td data-label={type}>
      {isSent && <Tag tone="orange">request</Tag>} {isReturned && <Tag tone="red">response</Tag>}
    </Table.Td>
  )
}
