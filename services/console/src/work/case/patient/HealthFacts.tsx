import type { CasePatient } from "@care/domain/cases"
import { classes } from "../../../ui/classes.ts"

interface FactProps {
  readonly title: string
  readonly text: string
  readonly isAlert?: boolean
}

const Fact = ({ isAlert = false, text, title }: FactProps) => (
  <p className={classes("min-w-0 rounded-md px-2 py-1", isAlert ? "bg-bad-soft text-bad" : "bg-raised")}>
    <span className="font-semibold">{title}:</span>{" "}
    <span dir="auto" className="break-words">
      {text === "" ? <span className="text-muted">not in the profile</span> : text}
    </span>
  </p>
)

/** What a patient told about their health. Allergies stand out, and on a narrow screen they alone stay in sight. */
export const HealthFacts = ({ patient }: { readonly patient: CasePatient }) => (
  <div className="flex max-h-28 flex-wrap gap-2 overflow-y-auto text-sm">
    <Fact title="Allergies" text={patient.allergies} isAlert={patient.allergies !== ""} />
    <div className="hidden sm:contents">
      <OtherFacts patient={patient} />
    </div>
  </div>
)

/** What a patient takes and has. */
export const OtherFacts = ({ patient }: { readonly patient: CasePatient }) => (
  <>
    <Fact title="Medication" text={patient.currentMedications} />
    <Fact title="Conditions" text={patient.healthConditions} />
  </>
)
