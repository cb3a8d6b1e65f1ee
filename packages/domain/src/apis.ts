import { AuthApi } from "./auth/AuthApi.ts"
import { CasesApi } from "./cases/CasesApi.ts"
import { PaymentsApi } from "./payments/PaymentsApi.ts"
import { SchedulingApi } from "./scheduling/SchedulingApi.ts"

/** The API of every service: what the gateway derives its routes and the public document from. */
export const apis = { auth: AuthApi, cases: CasesApi, payments: PaymentsApi, scheduling: SchedulingApi }
