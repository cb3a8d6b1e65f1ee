import { Layer } from "effect"
import { PatientErasures } from "../erasure/PatientErasures.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { Patients } from "../patients/Patients.ts"
import { Providers } from "../providers/Providers.ts"
import { DirectoryHandlers } from "./http.ts"

/** What the gateway and the other services ask auth. */
export const DirectoryFeature = DirectoryHandlers.pipe(
  Layer.provide([ApiKeys.layer, Organizations.layer, PatientErasures.layer, Patients.layer, Providers.layer])
)
