import type { UserId } from "@care/domain/ids"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { nameOfSession } from "../../session/nameOfSession.ts"
import { staffSession } from "../../session/session.ts"
import { useSession } from "../../session/useSession.ts"
import { announce } from "../../ui/announce.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

/** The sessions of a member, each with the button that ends it. */
export const MemberSessions = ({ userId }: { readonly userId: UserId }) => {
  const client = useQueryClient()
  const { sessionId: own } = useSession()
  const queryKey = ["member-sessions", userId]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(staffSession.sessions({ query: { userId } }), signal)
  })
  const end = useMutation({
    mutationFn: (sessionId: typeof own) => send(staffSession.endSession({ params: { sessionId } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey })
      announce("Session ended")
    }
  })
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={3} />
  if (data.data.length === 0) return <Empty title="They are not signed in" />
  return (
    <>
      {end.error === null ? null : <Failure error={end.error} />}
      <ul className="flex flex-col divide-y divide-line">
        {data.data.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span>
              {nameOfSession(session)}, begun <Moment at={session.createdAt} />, last used{" "}
              <Moment at={session.lastUsedAt} />
            </span>
            {session.id === own ? (
              <span className="text-sm text-muted">This one</span>
            ) : (
              <Button
                isSmall
                isPending={end.isPending && end.variables === session.id}
                onPress={() => end.mutate(session.id)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
