import { sentPlaceOf } from './decoded-views.ts'
import classes from './marked-text.module.css'

interface MarkedTextProps {
  /** As it was sent. */
  readonly text: string
  /** What is marked where the text holds it, also in an encoding. */
  readonly phrases: readonly string[]
}

/** A text in which the places of phrases are marked. */
export function MarkedText({ text, phrases }: MarkedTextProps) {
  const parts = []
  let done = 0
  for (const [from, to] of placesIn(text, phrases)) {
    if (from < done) continue
    parts.push(
      text.slice(done, from),
      <mark key={from} className={classes['mark']}>
        {text.slice(from, to)}
      </mark>,
    )
    done = to
  }
  return (
    <>
      {parts}
      {text.slice(done)}
    </>
  )
}

function placesIn(text: string, phrases: readonly string[]): (readonly [from: number, to: number])[] {
  return phrases
    .map((phrase) => sentPlaceOf(text, phrase))
    .filter((place) => place !== null)
    .sort((a, b) => a[0] - b[0])
}
