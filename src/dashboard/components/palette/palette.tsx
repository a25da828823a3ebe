import { Loader, Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '../../i18n/translate.ts'
import classes from './palette.module.css'
import { type PaletteResult, usePaletteResults } from './use-palette-results.ts'

const kinds = {
  Page: 'palette.page',
  Collection: 'palette.collection',
  Endpoint: 'palette.endpoint',
  Issue: 'palette.issue',
  Test: 'palette.test',
  Filter: 'palette.filter',
  Actor: 'palette.actor',
} as const
const pauseMs = 150
const longest = 200

/** Search over pages, collections, endpoints, issues, tests, filters and actors; the keys of a list box choose. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), pauseMs)
  const { results, isPending } = usePaletteResults(asked)
  const [chosen, setChosen] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, other results
  useEffect(() => setChosen(0), [asked])
  const id = useId()
  const navigate = useNavigate()
  const at = Math.min(chosen, results.length - 1)
  const open = (result: PaletteResult | undefined) => {
    if (result === undefined) return
    onClose()
    void navigate(result.to)
  }
  const press = (event: KeyboardEvent) => {
    const last = results.length - 1
    const next = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0) }[event.key]
    if (next !== undefined) setChosen(next)
    else if (event.key === 'Enter') open(results[at])
    else return
    event.preventDefault()
  }
  useEffect(() => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [id, at])
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      yOffset="10vh"
      centered={false}
      title={t('palette.title')}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t('palette.field')}
        placeholder={t('palette.field')}
        aria-expanded={results.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={results.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        maxLength={longest}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
        leftSection={<IconSearch size={16} />}
        rightSection={isPending && <Loader size={16} aria-label={t('palette.searching')} />}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.results')} className={classes['results']}>
        {results.map((result, index) => (
          <Result
            key={`${result.kind} ${result.to}`}
            id={`${id}-${index}`}
            result={result}
            isChosen={index === at}
            onPoint={() => setChosen(index)}
            onOpen={() => open(result)}
          />
        ))}
      </div>
      <Text size="sm" c="dimmed" role="status" mt="xs">
        {t(results.length === 0 && !isPending ? 'palette.nothing' : 'palette.keys')}
      </Text>
    </Modal>
  )
}

interface ResultProps {
  readonly id: string
  readonly result: PaletteResult
  readonly isChosen: boolean
  readonly onPoint: () => void
  readonly onOpen: () => void
}

function Result({ id, result, isChosen, onPoint, onOpen }: ResultProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and takes the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes['result']}
      onMouseMove={onPoint}
      onClick={onOpen}
    >
      <span className={classes['kind']}>{t(kinds[result.kind])}</span>
      <span className={classes['label']}>{result.label}</span>
      <span className={classes['detail']}>{result.detail}</span>
    </div>
  )
}
