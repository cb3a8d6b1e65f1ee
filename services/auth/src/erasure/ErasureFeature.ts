import { layerPatientsApi } from "@care/phi"
import { Effect, Layer } from "effect"
import { ErasurePropagation } from "./ErasurePropagation.ts"
import { PatientErasureHandlers } from "./http.ts"
import { PatientErasures } from "./PatientErasures.ts"
import { patientTables } from "./patientTables.ts"

/** How patients are erased. */
export const ErasureFeature = Layer.merge(
  PatientErasureHandlers,
  ErasurePropagation.worker(Effect.map(PatientErasures, ({ tell }) => tell))
).pipe(Layer.provide(PatientErasures.layer))

/** What auth keeps of patients, and what it does when cases has decided that one is erased. */
export const layerOwnPatients = layerPatientsApi("auth", {
  tables: patientTables,
  erase: Effect.map(PatientErasures, ({ eraseOwn }) => eraseOwn)
}).pipe(Layer.provide(PatientErasures.layer))
