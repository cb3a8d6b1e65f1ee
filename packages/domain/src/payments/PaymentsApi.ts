import { HttpApi } from "effect/http-api"
import { Owner } from "../http/annotations.ts"

/** Everything that the payments service answers. */
export class PaymentsApi extends HttpApi.make("payments").annotate(Owner, "payments") {}
