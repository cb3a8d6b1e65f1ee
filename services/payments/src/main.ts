import { launch } from "@care/service-kit"
import { PaymentsService } from "./PaymentsService.ts"

launch("payments", PaymentsService)
