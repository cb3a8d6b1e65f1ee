import { Button } from "../../../ui/Button.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Tick } from "../../../ui/Tick.tsx"
import type { MedicineDraft } from "./decisionDraft.ts"

interface MedicineRowProps {
  readonly medicine: MedicineDraft
  readonly position: number
  readonly onChange: (change: Partial<MedicineDraft>) => void
  readonly onRemove: () => void
}

/** A medicine of a decision with all that the pharmacy has to know. */
export const MedicineRow = ({ medicine, onChange, onRemove, position }: MedicineRowProps) => (
  <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
    <legend className="px-1 text-sm font-semibold">Medicine {position}</legend>
    <div className="grid gap-3 sm:grid-cols-2">
      <Field
        label="Medicine"
        isRequired
        autoFocus={medicine.medicine === ""}
        maxLength={2000}
        value={medicine.medicine}
        onChange={(text) => onChange({ medicine: text })}
      />
      <Field label="Dosage" maxLength={2000} value={medicine.dosage} onChange={(dosage) => onChange({ dosage })} />
      <Field
        label="How often"
        maxLength={2000}
        value={medicine.dosingFrequency}
        onChange={(dosingFrequency) => onChange({ dosingFrequency })}
      />
      <Field
        label="For how long"
        maxLength={2000}
        value={medicine.treatmentPeriod}
        onChange={(treatmentPeriod) => onChange({ treatmentPeriod })}
      />
      <Field
        label="Refills"
        inputMode="numeric"
        value={medicine.refillCount}
        onChange={(refillCount) => onChange({ refillCount })}
      />
      <Field
        label="External id"
        maxLength={2000}
        value={medicine.externalId}
        onChange={(externalId) => onChange({ externalId })}
      />
    </div>
    <Field
      label="Instructions for the pharmacy"
      rows={2}
      maxLength={10_000}
      value={medicine.pharmacyInstructions}
      onChange={(pharmacyInstructions) => onChange({ pharmacyInstructions })}
    />
    <div className="flex flex-wrap items-center gap-4">
      <Tick isSelected={medicine.isRefill} onChange={(isRefill) => onChange({ isRefill })}>
        It is a refill
      </Tick>
      <Tick
        isSelected={medicine.isPriorAuthRequested}
        onChange={(isPriorAuthRequested) => onChange({ isPriorAuthRequested })}
      >
        Prior authorization requested
      </Tick>
      <span className="ml-auto">
        <Button isSmall aria-label={`Remove medicine ${position}`} onPress={onRemove}>
          Remove
        </Button>
      </span>
    </div>
  </fieldset>
)
