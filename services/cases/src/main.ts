import { launch } from "@care/service-kit"
import { CasesService } from "./CasesService.ts"

launch("cases", CasesService)
