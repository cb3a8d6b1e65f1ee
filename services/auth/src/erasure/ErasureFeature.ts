import { layerPatientsApi } from "@care/phi"
import { Effect, Layer } from "effect"
import { completeList } from "./completeList.ts"
import { ErasurePropagation } from "./ErasurePropagation.ts"
import { PatientErasureHandlers } from "./http.ts"
import { PatientErasures } from "./PatientErasures.ts"
import { patientTables } from "./patientTables.ts"

/** The erasure of patients. */
export const ErasureFeature = Layer.mergeAll(
  PatientErasureHandlers,
  Layer.effectDiscard(completeList),
  ErasurePropagation.worker(Effect.map(PatientErasures, ({ propagate }) => propagate))
).pipe(Layer.provide(PatientErasures.layer))

/** Auth's side of exports, and of erasures that cases has decided. */
export const layerOwnPatients = layerPatientsApi("auth", {
  tables: patientTables,
  erase: Effect.map(PatientErasures, ({ eraseOwn }) => eraseOwn)
}).pipe(Layer.provide(PatientErasures.layer))
