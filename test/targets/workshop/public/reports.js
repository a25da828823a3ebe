export async function reports({ html, api, state }) {
  state('reports')
  const list = (await api('GET', '/api/reports')) ?? []
  html(`<h1>Reports</h1>${list.map((each) => `<div class="card" data-report="${each.id}">${each.title}</div>`).join('')}
    <div id="tabs"><button role="tab">Shared</button></div><div id="panel"></div>`)
  for (const card of document.querySelectorAll('[data-report]')) {
    card.addEventListener('dblclick', async () => {
      await api('GET', `/api/reports/${card.dataset.report}`)
      state('report')
    })
    card.addEventListener('contextmenu', (event) => {
      event.preventDefault()
      void api('POST', '/api/reports/export', { id: card.dataset.report })
    })
  }
  document.querySelector('[role=tab]').addEventListener('click', async () => {
    await api('GET', '/api/reports/shared')
    state('reports-shared')
  })
}
