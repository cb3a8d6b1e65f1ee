import { launch } from "@care/service-kit"
import { SchedulingService } from "./SchedulingService.ts"

launch("scheduling", SchedulingService)
