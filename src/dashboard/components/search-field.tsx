import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { usePageText } from '../i18n/use-page-text.ts'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  /** Called a moment after the last key. */
  readonly onSearch: (text: string) => void
}

/** A search box that reports after a pause in typing. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const t = usePageText()
  const [text, setText] = useState(value)
  const report = useDebouncedCallback(onSearch, 250)
  useEffect(() => setText(value), [value])
  const change = (next: string) => {
    setText(next)
    report(next)
  }
  return (
    <TextInput
      type="search"
      size="xs"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} />}
      rightSection={
        text && <CloseButton size="sm" aria-label={t('filter.clearSearch')} onClick={() => change('')} />
      }
      w={{ base: '100%', xs: 240 }}
    />
  )
}
