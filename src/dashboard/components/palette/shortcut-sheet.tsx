import { Kbd, Table, Text } from '@mantine/core'
import { type PlainKey, t } from '../../i18n/translate.ts'
import { Dialog } from '../dialog.tsx'
import { palettePages } from './palette-pages.ts'

type Row = readonly [keys: readonly string[], text: PlainKey]

const everywhere: readonly Row[] = [
  [['Ctrl', 'K'], 'palette.field'],
  [['/'], 'shortcuts.search'],
  [['?'], 'shortcuts.list'],
]
const inLists: readonly Row[] = [
  [['j'], 'shortcuts.nextRow'],
  [['k'], 'shortcuts.previousRow'],
  [['Enter'], 'shortcuts.openRow'],
  [['x'], 'shortcuts.chooseRow'],
]
const inResults: readonly Row[] = [
  [['n'], 'shortcuts.nextFinding'],
  [['p'], 'shortcuts.previousFinding'],
]

/** Every shortcut of the dashboard. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const pages = palettePages.flatMap(({ letter, label }) =>
    letter === undefined ? [] : [[['g', letter], label] as Row],
  )
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose} size="lg">
      <Keys title={t('shortcuts.everywhere')} rows={everywhere} />
      <Keys title={t('shortcuts.inLists')} rows={inLists} />
      <Keys title={t('shortcuts.onResult')} rows={inResults} />
      <Keys title={t('shortcuts.goTo')} rows={pages} />
    </Dialog>
  )
}

function Keys({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <Table aria-label={title} verticalSpacing={4} mb="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={130}>{t('shortcuts.keys')}</Table.Th>
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
              <Text size="sm">{t(text)}</Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
