import type { AdminCase } from "@care/domain/cases"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode, Ref } from "react"
import { Badge } from "../../../ui/Badge.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { patientQuery } from "../data/caseQueries.ts"
import { fullName } from "../data/useNames.ts"
import { statusWords } from "../words.ts"
import { HealthFacts } from "./HealthFacts.tsx"
import { PatientFacts } from "./PatientFacts.tsx"
import { Viewers } from "./Viewers.tsx"

const times = new Intl.DateTimeFormat("en", { timeStyle: "short" })

interface CaseHeaderProps {
  readonly caseDetail: AdminCase
  readonly actions: ReactNode
  readonly ref: Ref<HTMLElement>
}

/** What has to be in sight all the time: the patient, their allergies, the case's state and who works on it. */
export const CaseHeader = ({ actions, caseDetail, ref }: CaseHeaderProps) => {
  const { assignedTo, glassBrokenUntil, id, isArchived, isTest, products, status, submitter } = caseDetail
  const patient = useQuery(patientQuery(id))
  return (
    <section
      ref={ref}
      aria-label="Patient and case"
      className="sticky top-0 z-20 -mx-4 flex flex-col gap-2 border-b border-line bg-canvas px-4 py-2 sm:-mx-6 sm:px-6"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 dir="auto" className="min-w-0 text-lg font-semibold break-words">
          {fullName(submitter)}
        </h2>
        <Badge {...statusWords[status]} />
        {isArchived ? <Badge text="Closed" /> : null}
        {isTest ? <Badge text="Test" look="warn" /> : null}
        {glassBrokenUntil === null ? null : (
          <Badge text={`Opened by breaking the glass until ${times.format(glassBrokenUntil)}`} look="bad" />
        )}
        <Viewers caseId={id} />
        <div className="flex max-w-full gap-2 overflow-x-auto p-0.5 sm:ml-auto">{actions}</div>
      </div>
      <p className="hidden flex-wrap gap-x-4 gap-y-0.5 text-sm text-muted sm:flex">
        <PatientFacts submitter={submitter} patient={patient.data} />
      </p>
      {patient.error === null ? null : <Failure error={patient.error} onRetry={() => void patient.refetch()} />}
      <HealthFacts caseDetail={caseDetail} patient={patient.data} />
      <p className="hidden flex-wrap gap-x-4 gap-y-0.5 text-sm sm:flex">
        <span dir="auto" className="min-w-0 break-words">
          <span className="text-muted">Products:</span> {products.map(({ name }) => name).join(", ")}
        </span>
        <span dir="auto">
          <span className="text-muted">Provider:</span> {assignedTo === null ? "nobody yet" : fullName(assignedTo)}
        </span>
      </p>
    </section>
  )
}
