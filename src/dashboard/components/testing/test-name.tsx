import { Skeleton } from '@mantine/core'
import { testTitle, type useTests } from '../../data/use-tests.ts'

export interface TestNameProps {
  readonly tests: Pick<ReturnType<typeof useTests>, 'byId' | 'isPending'>
  readonly id: string
}

/** The title of a test: a placeholder while the library loads, the id of one that is gone. */
export function TestName({ tests, id }: TestNameProps) {
  const title = testTitle(tests.byId, id)
  if (!tests.isPending || title !== id) return title
  return (
    <Skeleton component="span" display="inline-block" w="auto">
      {id}
    </Skeleton>
  )
}
