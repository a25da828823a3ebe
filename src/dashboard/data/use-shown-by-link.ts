import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** A part of a page that gets the focus when a link is followed whose address ends with `#anchor`. */
export function useShownByLink(anchor: string) {
  const part = useRef<HTMLDivElement>(null)
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again
  useEffect(() => {
    if (hash !== `#${anchor}`) return
    part.current?.focus({ preventScroll: true })
    part.current?.scrollIntoView({ block: 'start' })
  }, [hash, key, anchor])
  return part
}
