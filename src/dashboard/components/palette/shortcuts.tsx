import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { palettePages } from './palette-pages.ts'

const Palette = lazy(() => import('./palette.tsx'))
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx'))

/** So long after g a letter still opens a page. */
const letterMs = 1_500

/** True where keys are typed as text, or belong to a dialog or a menu. */
function takesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]') !==
      null
  )
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  return field !== null
}

/** The button of the palette, and the keys that work on every page: Ctrl-K, /, ?, g and a letter. */
export function Shortcuts() {
  const [open, setOpen] = useState<'palette' | 'sheet' | null>(null)
  const navigate = useNavigate()
  const goneAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setOpen('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return
      const page =
        event.timeStamp - goneAt.current < letterMs
          ? palettePages.find(({ letter }) => letter === event.key)
          : undefined
      goneAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (page !== undefined) void navigate(page.to)
      else if (event.key === '?') setOpen('sheet')
      else if (event.key !== '/' || !focusSearch()) return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [navigate])
  const close = () => setOpen(null)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('palette.title')}
        aria-keyshortcuts="Control+K"
        title={t('palette.hint')}
        onClick={() => setOpen('palette')}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'sheet' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  )
}
