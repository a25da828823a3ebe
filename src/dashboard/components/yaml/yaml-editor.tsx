import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { findProblems } from './find-problems.ts'
import { keysAt, meaningAt, type Schema, valuesAt } from './schema.ts'
import { keyOnLine, placeAt } from './yaml-path.ts'

/** What an editor of YAML is given. */
export interface YamlEditorProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Accessible name. */
  readonly label: string
  /** Null: no completion, help or validation. */
  readonly schema: Schema | null
  /** Line that the server refused, from 1. */
  readonly wrongLine: number | null
  /** What it said. */
  readonly wrongText: string
}

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--ink-blue)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ink-green)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--ink-violet)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--ink-gray)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator], color: 'var(--ink-orange)' },
])

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--vigil-code)', color: 'var(--mantine-color-text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--mantine-color-anchor)' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: '620px',
    minHeight: '420px',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--vigil-code)',
    color: 'var(--ink-gray)',
    borderRight: '1px solid var(--vigil-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--tint-gray)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--tint-blue) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--vigil-line)',
    maxWidth: '420px',
    padding: '4px 8px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--tint-blue)',
    color: 'var(--mantine-color-text)',
  },
})

function complete(schema: Schema) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos)
    const place = placeAt(state.doc.toString(), line.number - 1, pos - line.from)
    const from = line.from + place.from
    if (from > pos || (!explicit && from === pos)) return null
    if (place.kind === 'value')
      return {
        from,
        options: valuesAt(schema, place.path).map((label) => ({ label, type: 'constant' })),
        validFor: /^[\w-]*$/,
      }
    const keys = [...keysAt(schema, place.path)]
    if (keys.length === 0) return null
    const hasColon = state.doc.sliceString(pos, line.to).includes(':')
    return {
      from,
      options: keys.map(([label, info]) => ({
        label,
        type: 'property',
        apply: hasColon ? label : `${label}: `,
        ...(info === '' ? {} : { info }),
      })),
      validFor: /^[\w-]*$/,
    }
  }
}

function help(schema: Schema): Extension {
  return hoverTooltip((view, pos) => {
    const line = view.state.doc.lineAt(pos)
    const key = keyOnLine(view.state.doc.toString(), line.number - 1)
    if (key === null || pos < line.from + key.from || pos > line.from + key.to) return null
    const meaning = meaningAt(schema, key.path)
    if (meaning === null) return null
    return {
      pos: line.from + key.from,
      end: line.from + key.to,
      above: true,
      create: () => {
        const dom = document.createElement('div')
        dom.textContent = meaning
        return { dom }
      },
    }
  })
}

function refusal(state: EditorState, wrongLine: number | null, wrongText: string): Diagnostic[] {
  if (wrongLine === null || wrongLine > state.doc.lines) return []
  const { from, to } = state.doc.line(wrongLine)
  return [{ from, to, severity: 'error', message: wrongText, source: 'server' }]
}

type Judged = Pick<YamlEditorProps, 'schema' | 'wrongLine' | 'wrongText'>

function judgedBy({ schema, wrongLine, wrongText }: Judged): Extension {
  const lints = linter(
    ({ state }) => [
      ...refusal(state, wrongLine, wrongText),
      ...(schema === null ? [] : findProblems(state.doc.toString(), schema)),
    ],
    { delay: 300 },
  )
  return schema === null
    ? lints
    : [lints, help(schema), autocompletion({ override: [complete(schema)], activateOnTyping: true })]
}

/** An editor for YAML with completion, help on hover and validation from a JSON Schema. Tab leaves it. */
export default function YamlEditor({ text, onChange, label, schema, wrongLine, wrongText }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const judged = useRef(new Compartment())
  const change = useRef(onChange)
  change.current = onChange
  const first = useRef({ text, label })
  useEffect(() => {
    const { text: start, label: name } = first.current
    const made = new EditorView({
      parent: host.current as HTMLElement,
      state: EditorState.create({
        doc: start,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          yaml(),
          syntaxHighlighting(highlight),
          look,
          EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' }),
          keymap.of([
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...lintKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(update.state.doc.toString())
          }),
          judged.current.of([]),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])
  useEffect(() => {
    view.current?.dispatch({
      effects: judged.current.reconfigure(judgedBy({ schema, wrongLine, wrongText })),
    })
  }, [schema, wrongLine, wrongText])
  useEffect(() => {
    const now = view.current
    if (now !== null && now.state.doc.toString() !== text)
      now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text } })
  }, [text])
  return <div ref={host} />
}
