// Search, the switch between light and dark, and copying of code; the pages work without it.
;(() => {
  const root = document.body.dataset.root ?? ''
  const input = document.getElementById('search')
  const results = document.getElementById('results')
  const most = 12
  let engine = null

  document.getElementById('scheme').addEventListener('click', () => {
    const scheme = document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark'
    document.documentElement.dataset.scheme = scheme
    try {
      localStorage.setItem('mantine-color-scheme-value', scheme)
    } catch {
      // Not kept where storage is closed.
    }
  })

  const load = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = root + name
      script.onload = resolve
      script.onerror = () => reject(new Error(`${name} is missing`))
      document.head.append(script)
    })

  const prepare = () => {
    engine ??= Promise.all([load('minisearch.js'), load('search-index.js')]).then(() =>
      window.MiniSearch.loadJSON(window.vigilSearchIndex, {
        fields: ['heading', 'page', 'text'],
        storeFields: ['heading', 'page', 'address'],
      }),
    )
    return engine
  }

  const line = (hit) => {
    const link = document.createElement('a')
    link.href = root + hit.address
    const heading = document.createElement('strong')
    heading.textContent = hit.heading
    const page = document.createElement('span')
    page.textContent = hit.heading === hit.page ? '' : hit.page
    link.append(heading, ' ', page)
    return link
  }

  const show = async () => {
    const query = input.value.trim()
    results.hidden = query === ''
    if (query === '') return
    try {
      const search = await prepare()
      const hits = search.search(query, {
        prefix: true,
        fuzzy: 0.15,
        boost: { heading: 3, page: 2 },
        combineWith: 'AND',
      })
      if (input.value.trim() !== query) return
      results.replaceChildren(...hits.slice(0, most).map(line))
      if (hits.length === 0) results.textContent = `Nothing found for "${query}"`
    } catch (error) {
      results.textContent = `The search cannot be loaded: ${error.message}`
    }
  }

  const move = (step) => {
    const links = [...results.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement) + step
    if (at < 0) input.focus()
    else links[Math.min(at, links.length - 1)]?.focus()
  }

  input.addEventListener('input', show)
  input.addEventListener('focus', () => void prepare().catch(() => {}))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      input.focus()
    } else if (event.key === 'Escape') {
      results.hidden = true
      input.blur()
    } else if (event.target.closest?.('.search') && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
  })
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) results.hidden = true
  })

  for (const block of document.querySelectorAll('article pre')) {
    if (!navigator.clipboard) break
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    const frame = document.createElement('div')
    frame.className = 'code'
    block.replaceWith(frame)
    frame.append(block, button)
  }

  // On narrow windows the contents begin closed.
  if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details')?.removeAttribute('open')
})()
