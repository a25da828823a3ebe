import type { EmptyAnswer, RootAnswer, RootValue, WideAnswer } from './operation.ts'
import type { Operations } from './registry.ts'
import type { RequestField, RequestFields } from './request-field.ts'
import type { RecordField, RecordFields } from './wide-record.ts'

/** Name of an operation exactly as on the wire. */
export type OperationName = keyof Operations & string

type RequestFieldsOf<Name extends OperationName> = Operations[Name]['request']
type AnswerDefinitionOf<Name extends OperationName> = Operations[Name]['answer']

type ValueOf<Field> = Field extends RequestField<infer Value, infer _Sent> ? Value : never
type SentOf<Field> = Field extends RequestField<infer _Value, infer Sent> ? Sent : never
type NeededKeys<Fields extends RequestFields> = {
  [Key in keyof Fields]: Fields[Key] extends RequestField<infer _Value, infer _Sent, true> ? Key : never
}[keyof Fields]

/** What a handler reads: every field present, defaults applied, null where nothing was sent. */
export type RequestOf<Name extends OperationName> = {
  [Key in keyof RequestFieldsOf<Name>]: ValueOf<RequestFieldsOf<Name>[Key]>
}

/** What a client sends: (R) fields needed, the others optional, null where a default exists. */
export type RequestBodyOf<Name extends OperationName> = {
  [Key in NeededKeys<RequestFieldsOf<Name>>]: SentOf<RequestFieldsOf<Name>[Key]>
} & {
  [Key in Exclude<keyof RequestFieldsOf<Name>, NeededKeys<RequestFieldsOf<Name>>>]?: SentOf<
    RequestFieldsOf<Name>[Key]
  >
}

type RecordValue<Field> = Field extends RecordField<infer Value> ? Value : never
type Merged<Fields extends RecordFields, Extra extends RecordFields> = {
  [Key in keyof Fields | keyof Extra]: Key extends keyof Extra
    ? RecordValue<Extra[Key]>
    : Key extends keyof Fields
      ? RecordValue<Fields[Key]>
      : never
}
type Meaningful<All, Fills> = { [Key in keyof All & Fills]: All[Key] } & {
  [Key in Exclude<keyof All, Fills>]?: All[Key]
}

/** What a handler returns: the fields the operation means (others of the record allowed), or the root value. */
export type AnswerOf<Name extends OperationName> =
  AnswerDefinitionOf<Name> extends WideAnswer<infer Fields, infer Extra, infer Fills>
    ? Meaningful<Merged<Fields, Extra>, Fills>
    : AnswerDefinitionOf<Name> extends RootAnswer
      ? RootValue<AnswerDefinitionOf<Name>>
      : AnswerDefinitionOf<Name> extends EmptyAnswer
        ? undefined
        : never

/** The complete body on the wire. */
export type ResponseOf<Name extends OperationName> =
  AnswerDefinitionOf<Name> extends WideAnswer<infer Fields, infer Extra, infer _Fills>
    ? Merged<Fields, Extra>
    : AnswerOf<Name>
