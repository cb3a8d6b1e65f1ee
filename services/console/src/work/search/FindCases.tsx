import { CaseSearchApi } from "@care/domain/admin"
import type { FoundCase } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Effect } from "effect"
import { useState } from "react"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { useSession } from "../../session/useSession.ts"
import { OrganizationFinder } from "../../shell/OrganizationFinder.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Finder } from "../../ui/Finder.tsx"
import { readsCases } from "../readsCases.ts"
import { FoundCaseRow, foundCaseInWords } from "./FoundCaseRow.tsx"

const { caseSearch } = Effect.runSync(clientOf(CaseSearchApi))
const limit = 20
const shortest = 2

const found = (organizationId: OrganizationId, q: string) =>
  // A person who types on asks for something else, which interrupts this.
  Effect.delay(caseSearch.find({ payload: { organizationId, q, limit } }), "150 millis")

/** Finds cases by what a person types, which is in no URL. Leads to the case that they choose, or to its payments. */
export const FindCases = ({ onChosen }: { readonly onChosen?: () => void }) => {
  const organizationId = useOrganizationId()
  if (organizationId !== undefined) {
    return <FindCasesOf organizationId={organizationId} {...(onChosen !== undefined && { onChosen })} />
  }
  return (
    <div className="flex flex-col gap-3">
      <p>Cases are searched in one organization. Which one?</p>
      <OrganizationFinder />
    </div>
  )
}

interface FindCasesOfProps {
  readonly organizationId: OrganizationId
  readonly onChosen?: () => void
}

const FindCasesOf = ({ onChosen, organizationId }: FindCasesOfProps) => {
  const navigate = useNavigate()
  const mayRead = readsCases(useSession().user.role)
  const [text, setText] = useState("")
  const q = text.trim()
  const isLongEnough = q.length >= shortest
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ["search", organizationId, q],
    queryFn: ({ signal }) => send(found(organizationId, q), signal),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000
  })
  const cases: ReadonlyArray<FoundCase> = isLongEnough ? (data?.data ?? []) : []
  return (
    <div className="flex flex-col gap-3">
      <Finder
        label="Search cases"
        hint={`The beginning of a name, an email, a phone number, or the id of a case, order, payment or patient.${mayRead ? "" : " Choose a case to see its payments."}`}
        text={text}
        onText={setText}
        entries={cases}
        keyOf={({ id }) => id}
        textOf={foundCaseInWords}
        onChoose={({ id }) => {
          // What was found for the text before is shown, but Enter means the text that is there now.
          if (isPlaceholderData) return
          // Whoever reads no cases reads payments.
          void navigate(
            mayRead ? { to: "/cases/$caseId", params: { caseId: id } } : { to: "/payments", search: { caseId: id } }
          )
          onChosen?.()
        }}
      >
        {(row) => <FoundCaseRow row={row} />}
      </Finder>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      <div role="status" className="text-sm text-muted">
        {isLongEnough && error === null ? <Result count={cases.length} isSearching={isFetching} /> : null}
      </div>
    </div>
  )
}

const Result = ({ count, isSearching }: { readonly count: number; readonly isSearching: boolean }) => {
  if (isSearching) return "Searching"
  if (count === 0) return <Empty title="Nothing found">Check the spelling, or type less of the name.</Empty>
  if (count === limit) return `The first ${limit} cases. Type more to find others.`
  return count === 1 ? "1 case" : `${count} cases`
}
