import { Layer } from "effect"
import { CalendarRecords, CasePayments, Cases, Decisions, Providers } from "../../case/index.ts"
import { Products } from "../../catalogue/index.ts"
import { SuspendedOrganizations } from "../../webhooks/index.ts"
import { InactivePatients } from "../patients/InactivePatients.ts"
import { CaseFactsHandlers } from "./http.ts"

/** What the other services ask and tell cases. */
export const CaseFactsFeature = CaseFactsHandlers.pipe(
  Layer.provide([
    CalendarRecords.layer,
    CasePayments.layer,
    Decisions.layer,
    InactivePatients.layer,
    SuspendedOrganizations.layer,
    Products.layer,
    Providers.layer,
    Cases.layer
  ])
)
