// Sets the colour scheme before the first paint. A separate file because the content policy forbids inline scripts.
;(() => {
  const stored = localStorage.getItem('vigil-color-scheme')
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
