import { Fragment, type ReactNode } from 'react'
import { type Message, piecesOf, type ValuesOf } from './message.ts'
import type { en } from './messages/en.ts'
import { type MessageKey, textOf, valueText } from './translate.ts'

interface RichTextProps<Key extends MessageKey> {
  readonly id: Key
  /** What stands at the names: links, times, code. */
  readonly values: (typeof en)[Key] extends Message ? ValuesOf<(typeof en)[Key], ReactNode> : never
}

/** A message with elements in it, in the order of the shown language. */
export function RichText<Key extends MessageKey>({ id, values }: RichTextProps<Key>) {
  const given: Readonly<Record<string, ReactNode>> = { ...values }
  return piecesOf(textOf(id, given['count'])).map((piece, at) => {
    const value = given[piece]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
      <Fragment key={at}>
        {at % 2 === 0 ? piece : typeof value === 'number' ? valueText(value) : value}
      </Fragment>
    )
  })
}
