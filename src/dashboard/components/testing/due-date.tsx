import { Tag } from '../tag.tsx'
import { TimeAgo } from '../time-ago.tsx'

/** When an open issue is due, and whether that has passed. */
export function DueDate({ dueAt }: { readonly dueAt: number }) {
  if (dueAt === 0) return '–'
  return (
    <>
      {dueAt < Date.now() / 1000 && (
        <>
          <Tag tone="red">overdue</Tag>{' '}
        </>
      )}
      <TimeAgo seconds={dueAt} />
    </>
  )
}
