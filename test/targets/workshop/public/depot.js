/** A form without a form element whose script refuses most amounts, and a menu whose entries lead away. */
export async function depot({ html, api, state }) {
  state('depot')
  await api('GET', '/api/depot')
  html(`<h1>Depot</h1><div><label>Litres <input type="number" name="litres" class="invalid"></label>
    <p>Must be within 10-1000</p><button id="store" disabled>Store</button></div>
    <p><button id="tools" aria-haspopup="menu">Tools</button></p><div role="menu" hidden>
    <button role="menuitem">Scales</button><button role="menuitem">Labels</button></div>`)
  const [litres, store, menu] = ['input', '#store', '[role=menu]'].map((each) => document.querySelector(each))
  litres.addEventListener('input', () => {
    const isValid = litres.value >= 10 && litres.value <= 1000
    litres.classList.toggle('invalid', !isValid)
    store.disabled = !isValid
  })
  store.addEventListener('click', async () => {
    await api('POST', '/api/depot', { litres: Number(litres.value) })
    state('depot-stored')
  })
  document.getElementById('tools').addEventListener('click', () => {
    menu.hidden = !menu.hidden
  })
  for (const entry of menu.children) {
    entry.addEventListener('click', async () => {
      const name = entry.textContent.toLowerCase()
      await api('POST', `/api/depot/${name}`)
      state(`depot-${name}`)
      html(`<h1>${entry.textContent}</h1><p>Weighed and labelled.</p>`)
    })
  }
}

/** A button that waits for what another page writes. */
export async function books({ html, api, state }) {
  state('books')
  const { stored } = (await api('GET', '/api/depot')) ?? {}
  html(`<h1>Books</h1><button ${stored ? '' : 'disabled'}>Count the stock</button>`)
  document.querySelector('#view button').addEventListener('click', async () => {
    await api('POST', '/api/books')
    state('books-counted')
  })
}
