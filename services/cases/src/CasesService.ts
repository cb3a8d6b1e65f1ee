import { CasesApi } from "@care/domain/cases"
import { Once } from "@care/once"
import { layerService } from "@care/service"
import { Egress } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import {
  AssignmentFeature,
  CaseLookupFeature,
  CaseNoticesFeature,
  CaseProductsFeature,
  CaseReplication,
  Directory,
  People,
  ReplicasFeature,
  StatusChangesFeature
} from "./case/index.ts"
import { BundlesFeature, CatalogueFeature, ProductsFeature } from "./catalogue/index.ts"
import { DocumentsFeature } from "./documents/index.ts"
import { EscalationsFeature } from "./escalations/index.ts"
import { IntakeFeature } from "./intake/index.ts"
import { keptTables } from "./keptTables.ts"
import { OrdersFeature, oldPharmacyEvents, PharmacySettings, ReconciliationFeature } from "./orders/index.ts"
import {
  BackOfficeFeature,
  BreakGlassFeature,
  ChartsFeature,
  DashboardFeature,
  layerOwnPatients,
  oldViewers,
  PatientsFeature,
  ReadingFeature,
  SearchFeature,
  TroublesFeature,
  ViewersFeature
} from "./records/index.ts"
import { sealedTables } from "./sealedTables.ts"
import { SimulationsFeature } from "./simulations/index.ts"
import { storedRows } from "./storedRows.ts"
import {
  DeliveriesFeature,
  EndpointsFeature,
  EventsFeature,
  layerDueDeliveries,
  layerEventMonths,
  makeDeliveryGauges,
  OperatorWebhooksFeature,
  oldDeliveries
} from "./webhooks/index.ts"

export const CasesService = layerService({
  name: "cases",
  migrations,
  oldRows: [oldPharmacyEvents, oldViewers, ...oldDeliveries],
  gauges: makeDeliveryGauges,
  otherDueWork: layerDueDeliveries,
  tablesOfIds: { caseId: "cases", orderId: "orders", escalationId: "escalations", endpointId: "webhook_endpoints" },
  keptTables,
  sealedTables,
  storedRows,
  routes: Layer.mergeAll(
    ReconciliationFeature,
    layerEventMonths,
    HttpApiBuilder.layer(CasesApi).pipe(
      Layer.provide([
        AssignmentFeature,
        BackOfficeFeature,
        BreakGlassFeature,
        BundlesFeature,
        CatalogueFeature,
        ChartsFeature,
        DashboardFeature,
        DocumentsFeature,
        DeliveriesFeature,
        EndpointsFeature,
        EscalationsFeature,
        EventsFeature,
        IntakeFeature,
        CaseNoticesFeature,
        OperatorWebhooksFeature,
        OrdersFeature,
        PatientsFeature,
        CaseLookupFeature,
        CaseProductsFeature,
        ProductsFeature,
        ReadingFeature,
        ReplicasFeature,
        SimulationsFeature,
        StatusChangesFeature,
        SearchFeature,
        TroublesFeature,
        ViewersFeature
      ])
    )
  ).pipe(
    // Erases the patients of the list of erasures before any job begins.
    Layer.provideMerge(layerOwnPatients),
    Layer.provide([CaseReplication.layerNotifying, Directory.layer, People.layer, Egress.layer, Once.layer]),
    Layer.provide(PharmacySettings.layer)
  )
})
