import { Tooltip } from '@mantine/core'
import { Fragment } from 'react'
import { pathParts } from './path-parts.ts'
import classes from './path-text.module.css'

interface PathTextProps {
  readonly url: string
  readonly isTemplate: boolean
  /** False: the origin of absolute URLs is left out. */
  readonly withOrigin?: boolean
}

/** An endpoint's URL with its parameters as chips; the text on the wire on hover. */
export function PathText({ url, isTemplate, withOrigin = true }: PathTextProps) {
  const { origin, parts } = pathParts(url, isTemplate)
  return (
    <Tooltip label={url} multiline maw={520} events={{ hover: true, focus: false, touch: true }}>
      <span className={classes['path']}>
        {withOrigin && origin !== '' && <span className={classes['origin']}>{hostOf(origin)}</span>}
        {parts.map((part, at) =>
          part.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one URL never move
            <BreakableText key={at} text={part.text} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one URL never move
            <span key={at} className={classes['parameter']} data-type={part.type}>
              {`{${part.name}}`}
            </span>
          ),
        )}
      </span>
    </Tooltip>
  )
}

/** The origin without its scheme, which the text on the wire shows. */
function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}

/** Long paths break after slashes, not within words. */
function BreakableText({ text }: { text: string }) {
  const pieces = text.split('/')
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one URL never move
    <Fragment key={at}>
      {at > 0 && (
        <>
          /<wbr />
        </>
      )}
      {piece}
    </Fragment>
  ))
}
