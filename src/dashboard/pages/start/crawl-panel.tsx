import { Button, Group, List, Stack, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'

/** Asks which application is crawled, and continues with the form for the rest. */
export function CrawlPanel() {
  const navigate = useNavigate()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const url = String(new FormData(event.currentTarget).get('url')).trim()
        void navigate(`/crawls/new?url=${encodeURIComponent(url)}`)
      }}
    >
      <Stack>
        <Group align="flex-end">
          <TextInput
            label="Address of the application"
            description="Only one that you may test."
            name="url"
            type="url"
            placeholder="https://app.example.com"
            required
            maxLength={2000}
            w={420}
            maw="100%"
          />
          <Button type="submit">Continue</Button>
        </Group>
        <List size="sm" c="dimmed" spacing={2}>
          <List.Item>The next page asks how the crawler signs in, and for its limits.</List.Item>
          <List.Item>By default it changes nothing: requests that would are recorded and not sent.</List.Item>
          <List.Item>
            The calls that the pages make become endpoints of the application’s collection.
          </List.Item>
        </List>
      </Stack>
    </form>
  )
}
