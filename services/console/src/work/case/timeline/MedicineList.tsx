import type { Decision } from "@care/domain/cases"

type Medicine = Omit<Decision["medInfo"][number], "id" | "externalId">

/** Returns a medicine with how it is taken, in words. */
export const medicineInWords = (medicine: Medicine): string => {
  const { dosage, dosingFrequency, isPriorAuthRequested, isRefill, pharmacyInstructions, refillCount } = medicine
  return [
    [medicine.medicine, dosage].filter(Boolean).join(" "),
    dosingFrequency,
    medicine.treatmentPeriod,
    refillCount === 0 ? "" : `${refillCount} ${refillCount === 1 ? "refill" : "refills"}`,
    isRefill ? "a refill itself" : "",
    isPriorAuthRequested ? "prior authorization requested" : "",
    pharmacyInstructions
  ]
    .filter(Boolean)
    .join(", ")
}

/** The medicines of a decision. */
export const MedicineList = ({ medicines }: { readonly medicines: ReadonlyArray<Medicine> }) =>
  medicines.length === 0 ? null : (
    <ul className="list-disc pl-5">
      {medicines.map((medicine, index) => (
        <li key={index} dir="auto" className="break-words">
          {medicineInWords(medicine)}
        </li>
      ))}
    </ul>
  )
