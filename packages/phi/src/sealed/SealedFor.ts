import { Context } from "effect"
import type { PatientKey } from "../patientKeys/PatientKey.ts"

/** The key of the patient about whom a piece of work wrote last, if any. */
export interface SealedFor {
  key?: PatientKey
}

/** Where work notes that key if its caller needs it: the stored answer of the work is sealed with it, too. */
export const SealedFor = Context.Reference<SealedFor | undefined>("@care/phi/sealed/SealedFor", {
  defaultValue: () => undefined
})
