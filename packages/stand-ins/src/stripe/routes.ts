import { chargeRoutes } from "./charges.ts"
import { customerRoutes } from "./customers.ts"
import { disputeRoutes } from "./disputes.ts"
import { eventRoutes } from "./events.ts"
import { paymentIntentRoutes } from "./paymentIntents.ts"
import { paymentMethodRoutes } from "./paymentMethods.ts"
import { refundRoutes } from "./refunds.ts"
import type { Route } from "./route.ts"
import { setupIntentRoutes } from "./setupIntents.ts"
import { testClockRoutes } from "./testClocks.ts"
import { tokenRoutes } from "./tokens.ts"

const routes: ReadonlyArray<Route> = [
  ...chargeRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...refundRoutes,
  ...setupIntentRoutes,
  ...testClockRoutes,
  ...tokenRoutes
]

const matches = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(":id", "([^/]+)")}$`)
}))

/** Returns the route of a request, and the id in its path. */
export const findRoute = (method: string, path: string): { readonly route: Route; readonly id: string } | undefined => {
  for (const { pattern, route } of matches) {
    const found = route.method === method ? pattern.exec(path) : null
    if (found !== null) return { route, id: decodeURIComponent(found[1] ?? "") }
  }
  return undefined
}
