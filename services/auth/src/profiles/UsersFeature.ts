import { Layer } from "effect"
import { UsersHandlers } from "./http.ts"
import { layerPatientAccess } from "./layerPatientAccess.ts"
import { UserLookup } from "./UserLookup.ts"
import { Users } from "./Users.ts"
import { UsersElsewhere } from "./UsersElsewhere.ts"

/** The look-up of users, and the profiles of patients. */
export const UsersFeature = UsersHandlers.pipe(
  Layer.provide([UserLookup.layer, Users.layer, layerPatientAccess]),
  Layer.provide(UsersElsewhere.layer)
)
