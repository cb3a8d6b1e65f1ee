import { SchedulingApi } from "@care/domain"
import { layerService } from "@care/service-kit"
import { HttpApiBuilder } from "effect/http-api"
import { migrations } from "../migrations/index.ts"

/** The scheduling service as a process. */
export const SchedulingService = layerService({
  name: "scheduling",
  defaultPort: 8084,
  migrations,
  routes: HttpApiBuilder.layer(SchedulingApi)
})
