import { Layer } from "effect"
import { PatientErasures } from "../erasure/index.ts"
import { ApiKeys, Sandboxes } from "../keys/index.ts"
import { Organizations } from "../organizations/index.ts"
import { Patients, Providers } from "../people/index.ts"
import { Incidents } from "../staff/index.ts"
import { DirectoryHandlers } from "./http.ts"

/** The internal API for the gateway and the other services. */
export const DirectoryFeature = DirectoryHandlers.pipe(
  Layer.provide([
    ApiKeys.layer,
    Incidents.layer,
    Organizations.layer,
    PatientErasures.layer,
    Patients.layer,
    Providers.layer,
    Sandboxes.layer
  ])
)
