import { HttpApi } from "effect/http-api"
import { Owner } from "../http/annotations.ts"

/** Everything that the scheduling service answers. */
export class SchedulingApi extends HttpApi.make("scheduling").annotate(Owner, "scheduling") {}
