import { launch } from "@care/service-kit"
import { GatewayService } from "./GatewayService.ts"

launch("gateway", GatewayService)
