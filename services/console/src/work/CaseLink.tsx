import type { CaseSummary } from "@care/domain/cases"
import { Link } from "@tanstack/react-router"
import { useSession } from "../session/useSession.ts"
import { linkLook } from "../ui/linkLook.ts"
import { readsCases } from "./readsCases.ts"

interface CaseLinkProps {
  readonly caseId: CaseSummary["id"]
  readonly shortId: string
  readonly patient: Pick<CaseSummary["submitter"], "firstName" | "lastName">
}

/** A case by its patient: a link for those who may read it. */
export const CaseLink = ({ caseId, patient: { firstName, lastName }, shortId }: CaseLinkProps) => {
  const { role } = useSession().user
  const name = <bdi>{`${firstName} ${lastName}`}</bdi>
  return (
    <>
      {readsCases(role) ? (
        <Link to="/cases/$caseId" params={{ caseId }} className={linkLook}>
          {name}
        </Link>
      ) : (
        name
      )}
      <span className="block text-sm text-muted">{shortId}</span>
    </>
  )
}
