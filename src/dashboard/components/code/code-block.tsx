import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { sentPlacesOf } from '../exchange/decoded-views.ts'
import { MarkedPlaces } from '../exchange/marked-text.tsx'
import classes from './code-block.module.css'
import { type JsonLine, prettyJson } from './pretty-json.ts'

interface CodeBlockProps {
  readonly text: string
  /** Accessible name. */
  readonly label: string
  /** True: a text that is JSON is laid out and coloured. */
  readonly pretty?: boolean
  /** Long lines are broken; otherwise the block scrolls sideways. */
  readonly wrap?: boolean
  /** What is marked where the text holds it. */
  readonly phrases?: readonly string[]
}

const noPhrases: readonly string[] = []

/** Lines and characters shown before the reader asks for the rest. */
const firstLines = 400
const firstCharacters = 100_000

/** Text in the fixed-width font, always as text; JSON is laid out. Long texts are opened on demand. */
export function CodeBlock({ text, label, pretty = false, wrap = true, phrases = noPhrases }: CodeBlockProps) {
  const [whole, setWhole] = useState(false)
  const json = useMemo(() => (pretty ? prettyJson(text) : null), [pretty, text])
  const places = useMemo(() => sentPlacesOf(text, phrases), [text, phrases])
  const cut = !whole && (json === null ? text.length > firstCharacters : json.length > firstLines)
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes['block']} data-wrap={wrap || undefined} aria-label={label} tabIndex={0}>
        <pre>
          {json === null ? (
            <MarkedPlaces text={text.slice(0, cut ? firstCharacters : undefined)} places={places} />
          ) : (
            (cut ? json.slice(0, firstLines) : json).map((line, at) => (
              <Line key={lineKey(at)} line={line} places={places} />
            ))
          )}
        </pre>
      </section>
      {cut && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => setWhole(true)}>
          Show all of it ({json === null ? `${text.length} characters` : `${json.length} lines`})
        </Button>
      )}
    </div>
  )
}

function lineKey(at: number): string {
  return `line-${at}`
}

interface LineProps {
  readonly line: JsonLine
  /** Of what is marked in the whole text. */
  readonly places: ReturnType<typeof sentPlacesOf>
}

function Line({ line, places }: LineProps) {
  return (
    <>
      {'  '.repeat(line.indent)}
      {line.tokens.map((token, at) => (
        <span key={lineKey(at)} className={classes[token.kind]}>
          <MarkedPlaces text={token.text} places={places} start={token.start} />
        </span>
      ))}
      {'\n'}
    </>
  )
}
