export async function settings({ html, api, state }) {
  state('settings')
  await api('GET', '/api/settings')
  html('<h1>Settings</h1><div role="switch" tabindex="0" aria-checked="false">Mails</div>')
  document.querySelector('[role=switch]').addEventListener('click', async () => {
    await api('PATCH', '/api/settings', { mails: true })
    state('settings-changed')
  })
}
