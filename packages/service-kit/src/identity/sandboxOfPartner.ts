import { Partner, TestKeyNeeded } from "@care/domain/http"
import { Effect } from "effect"

/** The sandbox of a test key. The gateway has refused live keys before. */
export const sandboxOfPartner = Effect.flatMap(Partner, ({ isTest, organizationId }) =>
  isTest === true ? Effect.succeed(organizationId) : Effect.die(new TestKeyNeeded())
)
