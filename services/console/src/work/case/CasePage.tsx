import type { CaseId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { may } from "../../client/may.ts"
import { isUnseen } from "../../client/RequestFailed.ts"
import { useSession } from "../../session/useSession.ts"
import { Empty } from "../../ui/Empty.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { BreakGlass } from "./BreakGlass.tsx"
import { CaseOfThirdParty } from "./CaseOfThirdParty.tsx"
import { CaseView } from "./CaseView.tsx"
import { backOffice } from "./data/caseClients.ts"
import { caseQuery } from "./data/caseQueries.ts"
import { caseIdOf } from "./data/preloadCase.ts"
import { useCaseAction } from "./data/useCaseAction.ts"

const route = getRouteApi("/shell/cases/$caseId")

const CaseOf = ({ caseId }: { readonly caseId: CaseId }) => {
  const { user } = useSession()
  const { data, error, refetch } = useQuery(caseQuery(caseId))
  // Here, because whoever loses the race for a case does not see it any more, but should see why.
  const claim = useCaseAction(
    caseId,
    () => backOffice.assign({ params: { caseId }, payload: { providerId: user.id, onlyIfUnassigned: true } }),
    "The case is yours"
  )
  const body = () => {
    if (isUnseen(error)) {
      return may(user.role, "breakGlass", "open") && user.role !== "OPERATOR" ? (
        <BreakGlass caseId={caseId} wasSeen={data !== undefined} />
      ) : (
        <Empty title="There is no such case">Search for it by its short id, or by the patient’s email.</Empty>
      )
    }
    if (data === undefined) {
      return error === null ? <Skeleton lines={10} /> : <Failure error={error} onRetry={() => void refetch()} />
    }
    return (
      <>
        {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
        <CaseView caseDetail={data} isClaiming={claim.isPending} onClaim={() => claim.mutate(undefined)} />
      </>
    )
  }
  return (
    <Page title={data === undefined ? "Case" : `Case ${data.shortId}`}>
      {claim.error === null ? null : <Failure error={claim.error} />}
      {body()}
    </Page>
  )
}

/** One case, which a provider can decide from. */
export const CasePage = () => {
  const { user } = useSession()
  const caseId = caseIdOf(route.useParams().caseId)
  if (caseId === undefined) {
    return (
      <Page title="Case">
        <Empty title="There is no such case">The link is not complete.</Empty>
      </Page>
    )
  }
  if (may(user.role, "backOffice", "case")) return <CaseOf key={caseId} caseId={caseId} />
  return (
    <Page title="Case">
      {may(user.role, "caseLists", "escalations") ? (
        <CaseOfThirdParty caseId={caseId} />
      ) : (
        <Empty title="Your role does not read cases">
          You may see{" "}
          <Link to="/payments" search={{ caseId }} className={linkLook}>
            its payments
          </Link>{" "}
          and{" "}
          <Link to="/audit" search={{ caseId }} className={linkLook}>
            who read and changed it
          </Link>
          .
        </Empty>
      )}
    </Page>
  )
}
