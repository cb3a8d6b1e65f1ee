import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { CasePaymentsApi } from "./CasePaymentsApi.ts"

export class PaymentsApi extends HttpApi.make("payments")
  .add(CasePaymentsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
