import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { countText } from '../../data/words.ts'
import { usePageText } from '../../i18n/use-page-text.ts'

interface TurnPagesProps {
  /** Counted from 0. */
  readonly page: number
  readonly pageSize: number
  /** Rows on this page. */
  readonly shown: number
  /** There is a page after this one. */
  readonly hasMore: boolean
  readonly onPage: (page: number) => void
  /** What is listed: "results". */
  readonly what: string
}

/** Forward and back through a list whose length nobody counted. */
export function TurnPages({ page, pageSize, shown, hasMore, onPage, what }: TurnPagesProps) {
  const t = usePageText()
  const first = shown === 0 ? 0 : page * pageSize + 1
  return (
    <Group justify="space-between" p="sm">
      <Text size="sm" c="dimmed" role="status">
        {t(hasMore ? 'pager.shownMore' : 'pager.shown', {
          what,
          first: countText(first),
          last: countText(page * pageSize + shown),
        })}
      </Text>
      {(page > 0 || hasMore) && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconChevronLeft size={14} />}
            disabled={page === 0}
            onClick={() => onPage(page - 1)}
          >
            {t('pager.back')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<IconChevronRight size={14} />}
            disabled={!hasMore}
            onClick={() => onPage(page + 1)}
          >
            {t('pager.forward')}
          </Button>
        </Group>
      )}
    </Group>
  )
}
