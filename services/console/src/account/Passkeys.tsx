import type { Passkey } from "@care/domain/auth"
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { sessionQuery, staffSession } from "../session/session.ts"
import { announce } from "../ui/announce.ts"
import { Button } from "../ui/Button.tsx"
import { Confirmation } from "../ui/Confirmation.tsx"
import { DataTable } from "../ui/DataTable.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Panel } from "../ui/Panel.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { NamePasskey } from "./NamePasskey.tsx"

const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => send(staffSession.passkeys(), signal)
})

/** The passkeys of the person: list, add, rename and delete. */
export const Passkeys = () => {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(passkeysQuery)
  const [isAdding, setAdding] = useState(false)
  const [renamed, rename] = useState<Passkey>()
  const [deleted, remove] = useState<Passkey>()
  const changed = async (text: string) => {
    announce(text)
    await Promise.all([client.invalidateQueries(passkeysQuery), client.invalidateQueries(sessionQuery)])
  }
  return (
    <Panel title="Passkeys" actions={<Button onPress={() => setAdding(true)}>Add a passkey</Button>}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Skeleton />
      ) : (
        <DataTable
          caption="Passkeys"
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            { title: "Name", cell: ({ name }) => <span dir="auto">{name}</span> },
            { title: "Added", cell: ({ createdAt }) => <Moment at={createdAt} /> },
            {
              title: "Last used",
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Not yet" : <Moment at={lastUsedAt} />)
            },
            {
              title: "Actions",
              cell: (passkey) => (
                <div className="flex flex-wrap gap-2">
                  <Button isSmall aria-label={`Rename ${passkey.name}`} onPress={() => rename(passkey)}>
                    Rename
                  </Button>
                  {data.data.length === 1 ? null : (
                    <Button isSmall look="danger" aria-label={`Delete ${passkey.name}`} onPress={() => remove(passkey)}>
                      Delete
                    </Button>
                  )}
                </div>
              )
            }
          ]}
        />
      )}
      {isAdding ? <NamePasskey onClose={() => setAdding(false)} onDone={changed} /> : null}
      {renamed === undefined ? null : (
        <NamePasskey passkey={renamed} onClose={() => rename(undefined)} onDone={changed} />
      )}
      <Confirmation
        title="Delete a passkey"
        action="Delete the passkey"
        isDanger
        isOpen={deleted !== undefined}
        onClose={() => remove(undefined)}
        onConfirm={async () => {
          if (deleted === undefined) return
          await send(staffSession.deletePasskey({ params: { passkeyId: deleted.id } }))
          await changed("Passkey deleted")
        }}
      >
        <p>
          You will not be able to sign in with <strong dir="auto">{deleted?.name}</strong> any more.
        </p>
      </Confirmation>
    </Panel>
  )
}
