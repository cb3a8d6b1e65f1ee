import { AuthApi, SessionUnknown } from "@care/domain/auth"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"

// Until staff can sign in, there are no sessions.
export const StaffFeature = HttpApiBuilder.group(AuthApi, "staffSessions", (handlers) =>
  handlers.handleAll({ resolve: () => new SessionUnknown() })
)
