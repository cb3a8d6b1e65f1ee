import { PaymentsApi } from "@care/domain"
import { layerService } from "@care/service-kit"
import { HttpApiBuilder } from "effect/http-api"
import { migrations } from "../migrations/index.ts"

/** The payments service as a process. */
export const PaymentsService = layerService({
  name: "payments",
  defaultPort: 8083,
  migrations,
  routes: HttpApiBuilder.layer(PaymentsApi)
})
