import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { AdminOrdersApi } from "./AdminOrdersApi.ts"
import { BackOfficeApi } from "./BackOfficeApi.ts"
import { BundlesApi } from "./BundlesApi.ts"
import { CaseFactsApi } from "./CaseFactsApi.ts"
import { CaseListsApi } from "./CaseListsApi.ts"
import { CaseProductsApi } from "./CaseProductsApi.ts"
import { CaseSearchApi } from "./CaseSearchApi.ts"
import { CatalogueApi } from "./CatalogueApi.ts"
import { DocumentLinksApi } from "./DocumentLinksApi.ts"
import { DynamicCaseApi } from "./DynamicCaseApi.ts"
import { EscalationsApi } from "./EscalationsApi.ts"
import { IntakeApi } from "./IntakeApi.ts"
import { OrdersApi } from "./OrdersApi.ts"
import { PharmacyApi } from "./PharmacyApi.ts"
import { ReadingApi } from "./ReadingApi.ts"
import { StatusChangesApi } from "./StatusChangesApi.ts"

export class CasesApi extends HttpApi.make("cases")
  .add(IntakeApi)
  .add(DynamicCaseApi)
  .add(EscalationsApi)
  .add(ReadingApi)
  .add(OrdersApi)
  .add(PharmacyApi)
  .add(DocumentLinksApi)
  .add(BundlesApi)
  .add(CatalogueApi)
  .add(BackOfficeApi)
  .add(AdminOrdersApi)
  .add(CaseListsApi)
  .add(StatusChangesApi)
  .add(CaseProductsApi)
  .add(CaseSearchApi)
  .add(CaseFactsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
