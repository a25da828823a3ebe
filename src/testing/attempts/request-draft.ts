import type { ClientCertificate } from '../../http/sender/index.ts'

/** Who sends a request, where headers and body do not say it. */
export interface RequestIdentity {
  /** Answers the challenges of the target (RFC 7616). */
  readonly digest?: { readonly user: string; readonly password: string }
  /** Certificate that the connection is made with. */
  readonly clientCertificate?: ClientCertificate
}

/** One header of a draft, in the letter case it is sent with. */
export interface HeaderEntry {
  readonly name: string
  readonly value: string
}

/** The body of a draft. Edits replace it; the parts are never changed in place. */
interface BodyDraft {
  /** JSON form where the kind of body has one (JSON, form, multipart, XML), otherwise the text as recorded. */
  readonly text: string
  /** As recorded, to put edits back into its form. */
  readonly recorded: RecordedBody
}

export interface RecordedBody {
  readonly text: string
  readonly isBase64: boolean
  readonly contentType: string
  /** JSON form of the recorded text; equal to `BodyDraft.text` until the body is edited. */
  readonly jsonForm: string
}

/** A file to send (RFC 7578). */
export interface AttachedFile {
  /** Name of the form field. */
  readonly field: string
  readonly fileName: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** A request while it is edited: one attempt, or the sample that attempts start from. */
export interface RequestDraft {
  method: string
  /** Absolute, without query and fragment. */
  url: string
  /** Raw, without question mark; edited in place so that what is not touched stays as recorded. */
  query: string
  /** In order; repeats and letter case kept, names looked up without case. */
  headers: readonly HeaderEntry[]
  body: BodyDraft
  followRedirects: boolean
  files: readonly AttachedFile[]
  /** `modify_method` ran: the attempt counts as different even when the method is the old one. */
  isMethodSet: boolean
  identity: RequestIdentity | null
}
