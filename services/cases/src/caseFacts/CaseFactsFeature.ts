import { Layer } from "effect"
import { Providers } from "../assignment/Providers.ts"
import { CalendarRecords } from "../calendarEvents/CalendarRecords.ts"
import { Decisions } from "../decisions/Decisions.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { InactivePatients } from "../patients/InactivePatients.ts"
import { CasePayments } from "../payments/CasePayments.ts"
import { Products } from "../products/Products.ts"
import { HeldOrganizations } from "../webhooks/deliveries/HeldOrganizations.ts"
import { CaseFactsHandlers } from "./http.ts"

/** What the other services ask and tell cases. */
export const CaseFactsFeature = CaseFactsHandlers.pipe(
  Layer.provide([
    CalendarRecords.layer,
    CasePayments.layer,
    Decisions.layer,
    InactivePatients.layer,
    HeldOrganizations.layer,
    Products.layer,
    Providers.layer,
    Cases.layer
  ])
)
