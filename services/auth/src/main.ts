import { launch } from "@care/service-kit"
import { AuthService } from "./AuthService.ts"

launch("auth", AuthService)
