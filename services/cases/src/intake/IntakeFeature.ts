import { Layer } from "effect"
import { Cases, PaymentRecording } from "../case/index.ts"
import { CaseForms } from "./CaseForms.ts"
import { DynamicCases } from "./DynamicCases.ts"
import { IntakeHandlers } from "./http.ts"
import { Intake } from "./Intake.ts"
import { PatientCompletions } from "./PatientCompletions.ts"

/** How cases and forms come in, and what follows from it elsewhere. */
export const IntakeFeature = Layer.mergeAll(
  IntakeHandlers.pipe(Layer.provide([CaseForms.layer, DynamicCases.layer, Intake.layer])),
  PatientCompletions.layerWorker.pipe(Layer.provide(Cases.layer)),
  PaymentRecording.layerWorker
)
