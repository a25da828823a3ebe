import { sentPlacesOf } from './decoded-views.ts'
import classes from './marked-text.module.css'

interface MarkedPlacesProps {
  readonly text: string
  /** From and to of what is marked, in order and without overlaps; may reach beyond the text. */
  readonly places: readonly (readonly [from: number, to: number])[]
  /** Where the text begins in that of the places. */
  readonly start?: number
}

/** A text, or a piece of one, in which places are marked. */
export function MarkedPlaces({ text, places, start = 0 }: MarkedPlacesProps) {
  const parts = []
  let done = 0
  for (const place of places) {
    const [from, to] = [Math.max(place[0] - start, 0), Math.min(place[1] - start, text.length)]
    if (from >= to) continue
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

interface MarkedTextProps {
  /** As it was sent. */
  readonly text: string
  /** What is marked where the text holds it, also in an encoding. */
  readonly phrases: readonly string[]
}

/** A text in which the places of phrases are marked. */
export function MarkedText({ text, phrases }: MarkedTextProps) {
  return <MarkedPlaces text={text} places={sentPlacesOf(text, phrases)} />
}

/** Characters shown around a match in a long text. */
const around = 160

/** A text in which the places of phrases are marked; a long one is cut around the first. */
export function MarkedPart({ text, phrases }: MarkedTextProps) {
  const places = sentPlacesOf(text, phrases)
  const [from, to] = places[0] ?? [0, 0]
  const [begin, end] = [Math.max(0, from - around), Math.min(text.length, Math.max(to, around) + around)]
  return (
    <>
      {begin > 0 && '… '}
      <MarkedPlaces text={text.slice(begin, end)} places={places} start={begin} />
      {end < text.length && ' …'}
    </>
  )
}
