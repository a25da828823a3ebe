import { Tooltip } from '@mantine/core'
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
        {withOrigin && origin !== '' && <span className={classes['origin']}>{origin}</span>}
        {parts.map((part, at) =>
          part.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one URL never move
            <span key={at}>{part.text}</span>
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
