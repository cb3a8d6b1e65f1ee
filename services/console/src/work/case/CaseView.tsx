import type { AdminCase } from "@care/domain/cases"
import { useQuery } from "@tanstack/react-query"
import { useEffectEvent, useMemo, useState } from "react"
import { flushSync } from "react-dom"
import { useSession } from "../../session/useSession.ts"
import { Failure } from "../../ui/Failure.tsx"
import { useKeys } from "../../ui/keys.ts"
import { AssignWindow } from "./actions/AssignWindow.tsx"
import { allowedActions, type CaseActionName } from "./actions/allowedActions.ts"
import { CaseActions } from "./actions/CaseActions.tsx"
import { CommentForm } from "./actions/CommentForm.tsx"
import { caseKeysOf } from "./actions/caseKeys.ts"
import { DecisionForm } from "./actions/DecisionForm.tsx"
import { EscalateWindow } from "./actions/EscalateWindow.tsx"
import { Answers } from "./answers/Answers.tsx"
import { Files } from "./answers/Files.tsx"
import { backOffice } from "./data/caseClients.ts"
import { staffQuery } from "./data/caseQueries.ts"
import { useCaseAction } from "./data/useCaseAction.ts"
import { fullName, useNames } from "./data/useNames.ts"
import { Appointments } from "./facts/Appointments.tsx"
import { Escalations } from "./facts/Escalations.tsx"
import { Orders } from "./facts/Orders.tsx"
import { Products } from "./facts/Products.tsx"
import { CaseHeader } from "./patient/CaseHeader.tsx"
import { NarrowFacts } from "./patient/NarrowFacts.tsx"
import { Timeline } from "./timeline/Timeline.tsx"
import { useStickyHeight } from "./useStickyHeight.ts"

interface CaseViewProps {
  readonly caseDetail: AdminCase
  readonly isClaiming: boolean
  readonly onClaim: () => void
}

/** A case, with all that a provider decides from at the left, and what was and is done at the right. */
export const CaseView = ({ caseDetail, isClaiming, onClaim }: CaseViewProps) => {
  const { user } = useSession()
  const { escalations, id: caseId, organizationId, shortId, submitter } = caseDetail
  const subject = `case ${shortId} of ${fullName(submitter)}`
  const names = useNames(caseDetail)
  const [open, setOpen] = useState<CaseActionName | undefined>(undefined)
  const header = useStickyHeight()
  const start = useCaseAction(caseId, () => backOffice.start({ params: { caseId } }), "You work on this case now")
  const allowed = allowedActions(caseDetail, user)
  const staff = useQuery({ ...staffQuery(organizationId), enabled: allowed.has("escalate") }).data ?? []
  const assignees = staff
    .filter(({ role }) => role === "THIRD_PARTY_ADMIN")
    .map((member) => ({ email: member.email, name: fullName(member) }))
  const act = useEffectEvent((action: CaseActionName) => {
    if (action === "claim") onClaim()
    else if (action === "start") start.mutate(undefined)
    else setOpen(action)
  })
  const close = () => {
    // The confirmation of a decision has the focus until it is gone.
    flushSync(() => setOpen(undefined))
    document.getElementById(`case-${open}`)?.focus()
  }
  const allowedNames = [...allowed].join(" ")
  useKeys(useMemo(() => caseKeysOf(allowed, act), [allowedNames]))
  const pending = isClaiming ? "claim" : start.isPending ? "start" : undefined
  return (
    <>
      <CaseHeader
        ref={header.ref}
        caseDetail={caseDetail}
        actions={<CaseActions allowed={allowed} pending={pending} onAction={act} />}
      />
      {start.error === null ? null : <Failure error={start.error} />}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <NarrowFacts caseDetail={caseDetail} />
          <Answers caseDetail={caseDetail} />
          <Products products={caseDetail.products} />
          <Files caseDetail={caseDetail} names={names} />
          <Orders caseDetail={caseDetail} />
          <Appointments caseDetail={caseDetail} />
          <Escalations caseId={caseId} subject={subject} escalations={escalations} names={names} />
        </div>
        <div
          className="flex min-w-0 flex-col gap-5 xl:sticky xl:top-(--head) xl:max-h-[calc(100dvh-var(--head))] xl:overflow-y-auto xl:pb-4"
          style={{ ["--head" as string]: `${header.height + 16}px` }}
        >
          {open === "decide" ? <DecisionForm caseDetail={caseDetail} onClose={close} /> : null}
          {open === "comment" ? <CommentForm caseDetail={caseDetail} onClose={close} /> : null}
          <Timeline caseDetail={caseDetail} names={names} />
        </div>
      </div>
      <AssignWindow caseDetail={caseDetail} isOpen={open === "assign"} onClose={close} />
      {open === "escalate" ? (
        <EscalateWindow
          caseId={caseId}
          subject={subject}
          escalations={escalations}
          assignees={assignees}
          onClose={close}
        />
      ) : null}
    </>
  )
}
