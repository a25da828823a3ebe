/** A text with `{names}` of values, or one for a `{count}` of one thing and one for any other. */
export type Message = string | Plural

/** Texts by the plural category of `{count}`; languages with more categories add them. */
interface Plural {
  readonly one: string
  readonly other: string
}

/** Names of the values in a text: `'{done} of {all}'` has `done` and `all`. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** Values that a message needs. */
export type ValuesOf<Of extends Message, Value> = Of extends string
  ? { readonly [Name in NamesIn<Of>]: Value }
  : Of extends Plural
    ? { readonly count: number } & { readonly [Name in Exclude<NamesIn<Of['other']>, 'count'>]: Value }
    : never

const place = /\{(\w+)\}/g

/** Names of the values in a text, sorted. */
export function valueNames(text: string): string[] {
  return [...new Set([...text.matchAll(place)].map(([, name = '']) => name))].sort()
}

/** A text in pieces: every second one is the name of a value. */
export function piecesOf(text: string): string[] {
  return text.split(place)
}
