import { Layer } from "effect"
import { Cases, PaymentRecording } from "../case/index.ts"
import { CaseForms } from "./CaseForms.ts"
import { DynamicCases } from "./DynamicCases.ts"
import { IntakeHandlers } from "./http.ts"
import { Intake } from "./Intake.ts"
import { PatientCompletions } from "./PatientCompletions.ts"

/** The creation of cases, the submission of forms, and the jobs that follow. */
export const IntakeFeature = Layer.mergeAll(
  IntakeHandlers.pipe(Layer.provide([CaseForms.layer, DynamicCases.layer, Intake.layer])),
  PatientCompletions.layerWorker.pipe(Layer.provide(Cases.layer)),
  PaymentRecording.layerWorker
)
