import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { InactivePatientsApi } from "../patients/InactivePatientsApi.ts"
import { PatientExportApi } from "../patients/PatientExportApi.ts"
import { AdminWebhooksApi } from "../webhooks/AdminWebhooksApi.ts"
import { DeliveriesApi } from "../webhooks/DeliveriesApi.ts"
import { EventsApi } from "../webhooks/EventsApi.ts"
import { WebhookEndpointsApi } from "../webhooks/WebhookEndpointsApi.ts"
import { AdminEscalationsApi } from "./AdminEscalationsApi.ts"
import { AdminOrdersApi } from "./AdminOrdersApi.ts"
import { BackOfficeApi } from "./BackOfficeApi.ts"
import { BreakGlassApi } from "./BreakGlassApi.ts"
import { BundlesApi } from "./BundlesApi.ts"
import { CaseChartApi } from "./CaseChartApi.ts"
import { CaseListsApi } from "./CaseListsApi.ts"
import { CaseLookupApi } from "./CaseLookupApi.ts"
import { CaseProductsApi } from "./CaseProductsApi.ts"
import { CaseSearchApi } from "./CaseSearchApi.ts"
import { CaseViewersApi } from "./CaseViewersApi.ts"
import { CatalogueApi } from "./CatalogueApi.ts"
import { CatalogueCopiesApi } from "./CatalogueCopiesApi.ts"
import { DashboardApi } from "./DashboardApi.ts"
import { DocumentLinksApi } from "./DocumentLinksApi.ts"
import { DynamicCaseApi } from "./DynamicCaseApi.ts"
import { EscalationsApi } from "./EscalationsApi.ts"
import { IntakeApi } from "./IntakeApi.ts"
import { OrdersApi } from "./OrdersApi.ts"
import { PharmacyApi } from "./PharmacyApi.ts"
import { ProductLookupApi } from "./ProductLookupApi.ts"
import { ProductsApi } from "./ProductsApi.ts"
import { ReadingApi } from "./ReadingApi.ts"
import { SimulationsApi } from "./SimulationsApi.ts"
import { StatusChangesApi } from "./StatusChangesApi.ts"
import { TroubleLookupApi } from "./TroubleLookupApi.ts"

export class CasesApi extends HttpApi.make("cases")
  .add(IntakeApi)
  .add(DynamicCaseApi)
  .add(StatusChangesApi)
  .add(OrdersApi)
  .add(EscalationsApi)
  .add(CaseProductsApi)
  .add(ReadingApi)
  .add(PharmacyApi)
  .add(DocumentLinksApi)
  .add(BundlesApi)
  .add(ProductsApi)
  .add(CatalogueApi)
  .add(CaseSearchApi)
  .add(BackOfficeApi)
  .add(AdminOrdersApi)
  .add(BreakGlassApi)
  .add(CaseViewersApi)
  .add(AdminEscalationsApi)
  .add(CaseChartApi)
  .add(CaseListsApi)
  .add(DashboardApi)
  .add(PatientExportApi)
  .add(CaseLookupApi)
  .add(ProductLookupApi)
  .add(CatalogueCopiesApi)
  .add(TroubleLookupApi)
  .add(InactivePatientsApi)
  .add(WebhookEndpointsApi)
  .add(DeliveriesApi)
  .add(EventsApi)
  .add(AdminWebhooksApi)
  .add(SimulationsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
