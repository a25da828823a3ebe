import { Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { LanguageMenu } from '../../components/language-menu.tsx'
import { SchemeToggle } from '../../components/shell/scheme-toggle.tsx'
import { signIn } from '../../i18n/messages/en/sign-in.ts'
import { addMessages, t } from '../../i18n/translate.ts'

addMessages(signIn)

interface SignInFrameProps {
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** The card that the pages before sign-in stand on. */
export function SignInFrame({ title, lead, children }: SignInFrameProps) {
  useDocumentTitle(t('common.vigilTitle', { title }))
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={440} radius="md">
        <Stack>
          <Group justify="space-between">
            <Group gap="xs">
              <Image src="/vigil.svg" alt="" w={28} h={28} />
              <Text fw={700} size="lg">
                Vigil
              </Text>
            </Group>
            <Group gap={0}>
              <LanguageMenu />
              <SchemeToggle />
            </Group>
          </Group>
          <div>
            <Title order={1}>{title}</Title>
            <Text c="dimmed" size="sm" mt={4}>
              {lead}
            </Text>
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}
