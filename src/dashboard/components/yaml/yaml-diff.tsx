import { yaml } from '@codemirror/lang-yaml'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'

interface YamlDiffProps {
  readonly before: string
  readonly after: string
  /** Accessible name. */
  readonly label: string
}

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--vigil-code)', color: 'var(--mantine-color-text)', fontSize: '12.5px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', maxHeight: '480px' },
  '.cm-gutters': { backgroundColor: 'var(--vigil-code)', color: 'var(--ink-gray)' },
  '.cm-changedLine': { backgroundColor: 'var(--tint-green) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--tint-red)' },
  // Its own look is for light pages, and its mark is in few fonts.
  '.cm-collapsedLines': { background: 'var(--tint-gray)', color: 'var(--ink-gray)' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"…"' },
})

/** What differs between two texts, in one column: removed lines above those that replace them. */
export default function YamlDiff({ before, after, label }: YamlDiffProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const view = new EditorView({
      parent: host.current as HTMLElement,
      state: EditorState.create({
        doc: after,
        extensions: [
          lineNumbers(),
          yaml(),
          look,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
        ],
      }),
    })
    return () => view.destroy()
  }, [before, after, label])
  return <div ref={host} />
}
