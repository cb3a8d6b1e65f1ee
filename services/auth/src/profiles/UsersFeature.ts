import { layerPatientAccess } from "@care/service-kit"
import { Layer } from "effect"
import { UsersHandlers } from "./http.ts"
import { UserLookup } from "./UserLookup.ts"
import { Users } from "./Users.ts"

/** Users as partners look them up and change them, and as a patient who signed in sees themselves. */
export const UsersFeature = UsersHandlers.pipe(Layer.provide([UserLookup.layer, Users.layer, layerPatientAccess]))
