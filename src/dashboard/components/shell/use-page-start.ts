import { useEffect, useRef } from 'react'

/** When the page changes: from the top, with the focus on its content, as a fresh page would have it. */
export function usePageStart(pathname: string, contentId: string): void {
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    window.scrollTo(0, 0)
    document.getElementById(contentId)?.focus({ preventScroll: true })
  }, [pathname, contentId])
}
