import { Kbd, Table, Text } from '@mantine/core'
import { Dialog } from '../dialog.tsx'
import { palettePages } from './palette-pages.ts'

const everywhere: readonly [keys: readonly string[], text: string][] = [
  [['Ctrl', 'K'], 'Search pages, endpoints, issues, tests and actors'],
  [['/'], 'Go to the search field of the page'],
  [['?'], 'Show this list'],
]
const inLists: readonly [keys: readonly string[], text: string][] = [
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
]
const inResults: readonly [keys: readonly string[], text: string][] = [
  [['n'], 'Next finding of the execution'],
  [['p'], 'Previous finding of the execution'],
]

/** Every shortcut of the dashboard. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const pages = palettePages.flatMap(({ letter, label }) =>
    letter === undefined ? [] : [[['g', letter], label] as [string[], string]],
  )
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} size="lg">
      <Keys title="Everywhere" rows={everywhere} />
      <Keys title="In lists" rows={inLists} />
      <Keys title="On a test result" rows={inResults} />
      <Keys title="Go to a page: g, then" rows={pages} />
    </Dialog>
  )
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [readonly string[], string])[] }) {
  return (
    <Table aria-label={title} verticalSpacing={4} mb="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={130}>Keys</Table.Th>
          <Table.Th>{title}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([keys, text]) => (
          <Table.Tr key={text}>
            <Table.Td>
              {keys.map((key) => (
                <Kbd key={key} mr={4}>
                  {key}
                </Kbd>
              ))}
            </Table.Td>
            <Table.Td>
              <Text size="sm">{text}</Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
