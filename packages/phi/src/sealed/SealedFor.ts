import { Context } from "effect"
import type { PatientKey } from "../patientKeys/PatientKey.ts"

/** The key of the patient whom a piece of work wrote of last, if it wrote of one. */
export interface SealedFor {
  key?: PatientKey
}

/** Where work notes it, while somebody wants to know: what is kept of the work is sealed with that key, too. */
export const SealedFor = Context.Reference<SealedFor | undefined>("@care/phi/sealed/SealedFor", {
  defaultValue: () => undefined
})
