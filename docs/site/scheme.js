// The choice that the dashboard keeps, before anything is drawn.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage may be closed to pages that were opened from a folder: the system's choice holds.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.scheme = isDark ? 'dark' : 'light'
})()
