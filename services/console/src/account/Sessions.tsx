import type { StaffSession } from "@care/domain/auth"
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { nameOfSession } from "../session/nameOfSession.ts"
import { staffSession } from "../session/session.ts"
import { useSession } from "../session/useSession.ts"
import { announce } from "../ui/announce.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirmation } from "../ui/Confirmation.tsx"
import { DataTable } from "../ui/DataTable.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Panel } from "../ui/Panel.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => send(staffSession.sessions({ query: {} }), signal)
})

/** Where the person is signed in. They end one of the sessions, or all except this one. */
export const Sessions = () => {
  const client = useQueryClient()
  const { sessionId } = useSession()
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [ended, end] = useState<StaffSession | "others">()
  const confirm = async () => {
    if (ended === undefined) return
    const isAll = ended === "others"
    await send(isAll ? staffSession.endOtherSessions() : staffSession.endSession({ params: { sessionId: ended.id } }))
    announce(isAll ? "All other sessions ended" : "Session ended")
    await client.invalidateQueries(sessionsQuery)
  }
  const hasOthers = data?.data.some(({ id }) => id !== sessionId) === true
  return (
    <Panel title="Sessions" actions={hasOthers && <Button onPress={() => end("others")}>End all others</Button>}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Skeleton />
      ) : (
        <DataTable
          caption="Sessions"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Where",
              cell: (session) => (
                <span className="flex flex-wrap gap-2">
                  {nameOfSession(session)}
                  {session.id === sessionId ? <Badge look="accent" text="This one" /> : null}
                  {session.state === "PENDING" ? <Badge look="warn" text="Not completed" /> : null}
                </span>
              )
            },
            {
              title: "Passkey",
              cell: ({ passkeyName }) => (passkeyName === null ? "None" : <span dir="auto">{passkeyName}</span>)
            },
            { title: "Began", cell: ({ createdAt }) => <Moment at={createdAt} /> },
            { title: "Last used", cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
            { title: "Ends", cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
            {
              title: "Actions",
              cell: (session) =>
                session.id === sessionId ? (
                  <span className="text-muted">Sign out ends it</span>
                ) : (
                  <Button isSmall look="danger" onPress={() => end(session)}>
                    End
                  </Button>
                )
            }
          ]}
        />
      )}
      <Confirmation
        title={ended === "others" ? "End all other sessions" : "End a session"}
        action={ended === "others" ? "End all others" : "End the session"}
        isDanger
        isOpen={ended !== undefined}
        onClose={() => end(undefined)}
        onConfirm={confirm}
      >
        {ended === undefined ? null : ended === "others" ? (
          <p>You stay signed in here. Every other browser and command line has to sign in again.</p>
        ) : (
          <p>
            The session of <strong>{nameOfSession(ended)}</strong> that began <Moment at={ended.createdAt} /> stops
            working within 5 seconds.
          </p>
        )}
      </Confirmation>
    </Panel>
  )
}
