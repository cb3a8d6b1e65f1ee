import { CasesApi } from "@care/domain/cases"
import { Once, oldIdempotencyKeys } from "@care/once"
import { layerService } from "@care/service"
import { Egress } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { AssignmentFeature } from "./assignment/AssignmentFeature.ts"
import { BackOfficeFeature } from "./backOffice/BackOfficeFeature.ts"
import { BundlesFeature } from "./bundles/BundlesFeature.ts"
import { CaseFactsFeature } from "./caseFacts/CaseFactsFeature.ts"
import { CaseProductsFeature } from "./caseProducts/CaseProductsFeature.ts"
import { CatalogueFeature } from "./catalogue/CatalogueFeature.ts"
import { Directory } from "./directory/Directory.ts"
import { DocumentsFeature } from "./documents/DocumentsFeature.ts"
import { EscalationsFeature } from "./escalations/EscalationsFeature.ts"
import { IntakeFeature } from "./intake/IntakeFeature.ts"
import { Followers } from "./lifecycle/Followers.ts"
import { FollowersFeature } from "./lifecycle/FollowersFeature.ts"
import { NoticesFeature } from "./notices/NoticesFeature.ts"
import { OrdersFeature } from "./orders/OrdersFeature.ts"
import { oldPharmacyEvents } from "./orders/oldPharmacyEvents.ts"
import { layerOwnPatients, PatientsFeature } from "./patients/PatientsFeature.ts"
import { People } from "./people/People.ts"
import { PharmacySettings } from "./pharmacy/PharmacySettings.ts"
import { ReadingFeature } from "./reading/ReadingFeature.ts"
import { ReconciliationFeature } from "./reconciliation/ReconciliationFeature.ts"
import { sealedTables } from "./sealedTables.ts"
import { SearchFeature } from "./search/SearchFeature.ts"
import { StatusChangesFeature } from "./statusChanges/StatusChangesFeature.ts"
import { storedRows } from "./storedRows.ts"
import { DeliveriesFeature } from "./webhooks/deliveries/DeliveriesFeature.ts"
import { makeDeliveryGauges } from "./webhooks/deliveries/makeDeliveryGauges.ts"
import { oldDeliveries } from "./webhooks/deliveries/oldDeliveries.ts"
import { EndpointsFeature } from "./webhooks/endpoints/EndpointsFeature.ts"
import { EventsFeature } from "./webhooks/events/EventsFeature.ts"

export const CasesService = layerService({
  name: "cases",
  migrations,
  oldRows: [oldIdempotencyKeys, oldPharmacyEvents, ...oldDeliveries],
  gauges: makeDeliveryGauges,
  sealedTables,
  storedRows,
  routes: Layer.mergeAll(
    layerOwnPatients,
    ReconciliationFeature,
    HttpApiBuilder.layer(CasesApi).pipe(
      Layer.provide([
        AssignmentFeature,
        BackOfficeFeature,
        BundlesFeature,
        CatalogueFeature,
        DocumentsFeature,
        DeliveriesFeature,
        EndpointsFeature,
        EscalationsFeature,
        EventsFeature,
        FollowersFeature,
        IntakeFeature,
        NoticesFeature,
        OrdersFeature,
        PatientsFeature,
        CaseFactsFeature,
        CaseProductsFeature,
        ReadingFeature,
        StatusChangesFeature,
        SearchFeature
      ])
    )
  ).pipe(
    Layer.provide([Directory.layer, Followers.layer, People.layer, Egress.layer, Once.layer, PharmacySettings.layer])
  )
})
