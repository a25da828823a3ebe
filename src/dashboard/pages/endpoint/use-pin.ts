import { notifications } from '@mantine/notifications'
import { useWrite } from '../../data/use-operation.ts'

/** Keeps a path literal permanently, whatever template would cover it. */
export function usePin(apiCollectionId: number) {
  const write = useWrite('pinLiteralApi')
  const pin = (url: string) =>
    write.mutate(
      { apiCollectionId, url },
      {
        onSuccess: ({ moves }) =>
          notifications.show({
            title: 'The path stays literal',
            message:
              moves.length === 0
                ? `${url} will be a separate endpoint.`
                : `${url} is now a separate endpoint (${moves.length} moved).`,
          }),
      },
    )
  return { pin, busy: write.isPending, failure: write.error }
}
