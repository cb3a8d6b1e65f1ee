import type { AdminCase, CasePatient } from "@care/domain/cases"
import { Allergies } from "./Allergies.tsx"

interface FactProps {
  readonly title: string
  readonly text: string
}

const Fact = ({ text, title }: FactProps) => (
  <p className="min-w-0 rounded-md bg-raised px-2 py-1">
    <span className="font-semibold">{title}:</span>{" "}
    <span dir="auto" className="break-words">
      {text === "" ? <span className="text-muted">not in the profile</span> : text}
    </span>
  </p>
)

interface HealthFactsProps {
  readonly caseDetail: AdminCase
  /** Undefined until they are read, and null if they were removed. */
  readonly patient: CasePatient | null | undefined
}

/** What a patient told about their health. Allergies stand out, and on a narrow screen they alone stay in sight. */
export const HealthFacts = ({ caseDetail, patient }: HealthFactsProps) => (
  <div className="flex max-h-28 flex-wrap gap-2 overflow-y-auto text-sm">
    <Allergies caseDetail={caseDetail} />
    {patient == null ? null : (
      <div className="hidden sm:contents">
        <OtherFacts patient={patient} />
      </div>
    )}
  </div>
)

/** What a patient takes and has. */
export const OtherFacts = ({ patient }: { readonly patient: CasePatient }) => (
  <>
    <Fact title="Medication" text={patient.currentMedications} />
    <Fact title="Conditions" text={patient.healthConditions} />
  </>
)
