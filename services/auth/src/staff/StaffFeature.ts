import { Egress } from "@care/service-kit"
import { Layer } from "effect"
import { Delivery } from "../messages/index.ts"
import { DeviceSignIns } from "./devices/DeviceSignIns.ts"
import {
  IncidentsHandlers,
  SingleSignOnHandlers,
  StaffAdminHandlers,
  StaffSessionHandlers,
  StaffSessionsHandlers,
  StaffSignInHandlers
} from "./http.ts"
import { Incidents } from "./incidents/Incidents.ts"
import { Operators } from "./operators/Operators.ts"
import { ResetNotices } from "./operators/ResetNotices.ts"
import { Passkeys } from "./passkeys/Passkeys.ts"
import { StaffSignIn } from "./StaffSignIn.ts"
import { layerStaffAccess } from "./sessions/layerStaffAccess.ts"
import { StaffCookies } from "./sessions/StaffCookies.ts"
import { StaffSessions } from "./sessions/StaffSessions.ts"
import { OpenIdProviders } from "./singleSignOn/OpenIdProviders.ts"
import { SignOns } from "./singleSignOn/SignOns.ts"
import { SingleSignOnSettings } from "./singleSignOn/SingleSignOnSettings.ts"

/** The sign-in and the sessions of staff. */
export const StaffFeature = Layer.mergeAll(
  IncidentsHandlers,
  SingleSignOnHandlers,
  StaffAdminHandlers,
  StaffSessionHandlers,
  StaffSessionsHandlers,
  StaffSignInHandlers,
  ResetNotices.layerWorker.pipe(Layer.provide(Delivery.layer))
).pipe(
  Layer.provide([
    DeviceSignIns.layer,
    Incidents.layer,
    layerStaffAccess,
    Operators.layer,
    Passkeys.layer,
    StaffSignIn.layer
  ]),
  Layer.provide([SignOns.layer, SingleSignOnSettings.layer]),
  Layer.provide([OpenIdProviders.layer, StaffCookies.layer, StaffSessions.layer]),
  Layer.provide(Egress.layer)
)
