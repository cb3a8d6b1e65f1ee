import type { PagePosition } from "@care/domain/http"
import type { CaseId } from "@care/domain/ids"
import { useMemo, useState } from "react"
import { useList } from "../../client/useList.ts"
import { useSession } from "../../session/useSession.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { type ScreenKey, useKeys } from "../../ui/keys.ts"
import { Moment } from "../../ui/Moment.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { EscalateWindow } from "./actions/EscalateWindow.tsx"
import { caseLists } from "./data/caseClients.ts"
import { caseKey } from "./data/caseQueries.ts"
import { fullName } from "./data/useNames.ts"
import { Escalations } from "./facts/Escalations.tsx"

/** What a third-party administrator sees of a case: its escalations and its comments. */
export const CaseOfThirdParty = ({ caseId }: { readonly caseId: CaseId }) => {
  const params = { caseId }
  const escalations = useList([...caseKey(caseId), "escalations"], (cursor: PagePosition | undefined) =>
    caseLists.escalations({ params, query: { limit: 100, ...(cursor !== undefined && { cursor }) } })
  )
  const comments = useList([...caseKey(caseId), "comments"], (cursor: PagePosition | undefined) =>
    caseLists.comments({ params, query: { limit: 50, ...(cursor !== undefined && { cursor }) } })
  )
  const { user } = useSession()
  const [isEscalating, setEscalating] = useState(false)
  useKeys(
    useMemo((): ReadonlyArray<ScreenKey> => {
      const run = () => setEscalating(true)
      return [{ keys: ["e"], does: "Escalate the case", run }]
    }, [])
  )
  return (
    <>
      <div>
        <Button onPress={() => setEscalating(true)}>Escalate</Button>
      </div>
      {isEscalating ? (
        <EscalateWindow
          caseId={caseId}
          subject="this case"
          escalations={escalations.rows ?? []}
          assignees={[{ email: user.email, name: "You" }]}
          onClose={() => setEscalating(false)}
        />
      ) : null}
      <PagedList list={escalations} empty={<Empty title="No escalations" />}>
        {(rows) => <Escalations caseId={caseId} subject="this case" escalations={rows.toReversed()} />}
      </PagedList>
      <Panel title="Comments">
        <PagedList list={comments} empty={<Empty title="Nobody commented on this case" />}>
          {(rows) => (
            <ol className="flex flex-col divide-y divide-line">
              {rows.map(({ author, createdAt, id, text }) => (
                <li key={id} className="flex flex-col gap-1 py-2">
                  <p className="text-sm text-muted">
                    <span dir="auto">{fullName(author)}</span>, <Moment at={createdAt} />
                  </p>
                  <p dir="auto" className="break-words whitespace-pre-wrap">
                    {text}
                  </p>
                </li>
              ))}
            </ol>
          )}
        </PagedList>
      </Panel>
    </>
  )
}
