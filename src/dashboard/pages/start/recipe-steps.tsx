import { Box, Group, Select, Stack, Text, Title } from '@mantine/core'
import { CodeBlock } from '../../components/code/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { recipeChoices, recipes } from './recipes.ts'

/** What one source of traffic needs, with this server's address and a key in it. */
export function RecipeSteps({ server, apiKey }: { server: string; apiKey: string }) {
  const { one, change } = useListAddress()
  const source = Object.hasOwn(recipes, one('source')) ? one('source') : 'http'
  const recipe = recipes[source]
  if (recipe === undefined) return null
  return (
    <section aria-label="Source">
      <Title order={2} mb={4}>
        2. Connect a source
      </Title>
      <Stack gap="sm">
        <Select
          label="Where traffic comes from"
          data={recipeChoices}
          value={source}
          allowDeselect={false}
          searchable
          w={420}
          maw="100%"
          onChange={(next) => change({ source: next === 'http' ? '' : (next ?? '') })}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {recipe.summary}
        </Text>
        {recipe.steps(server, apiKey).map(({ text, paste }) => (
          <div key={text}>
            <Group justify="space-between" align="flex-end" gap="xs" mb={4} wrap="nowrap">
              <Text size="sm">{text}</Text>
              {paste && (
                <Box flex="none">
                  <CopyButton text={paste[1]} what={paste[0]} />
                </Box>
              )}
            </Group>
            {paste && <CodeBlock text={paste[1]} label={labelOf(paste[0])} />}
          </div>
        ))}
      </Stack>
    </section>
  )
}

/** "Log format" for `the log format`. */
function labelOf(name: string): string {
  const words = name.replace(/^the /, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
