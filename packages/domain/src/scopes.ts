import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { AuthApi } from "./auth/AuthApi.ts"
import type { Scope } from "./auth/Scope.ts"
import type { CasesApi } from "./cases/CasesApi.ts"
import type { GatewayApi } from "./gateway/GatewayApi.ts"
import type { PaymentsApi } from "./payments/PaymentsApi.ts"
import type { SchedulingApi } from "./scheduling/SchedulingApi.ts"

type GroupIn<Api> = Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

// Signed links need no key.
type PartnerEndpointIn<Group> =
  Group extends HttpApiGroup.HttpApiGroup<infer Name, infer Endpoints, infer _>
    ? Endpoints extends { readonly identifier: infer Id extends string; readonly path: infer Path extends string }
      ? Path extends `/api/v1/documents/${string}`
        ? never
        : Path extends `/api/v1/${string}`
          ? `${Name}.${Id}`
          : never
      : never
    : never

/** The id of an operation of the partner API: `intake.createCase`. */
export type PartnerOperationId = PartnerEndpointIn<
  GroupIn<typeof AuthApi | typeof CasesApi | typeof PaymentsApi | typeof SchedulingApi | typeof GatewayApi>
>

/** The scope that a key needs for each operation of the partner API. The compiler requires a row for each operation. */
const scopeOfOperation: Readonly<Record<PartnerOperationId, Scope>> = {
  "signIn.sendCode": "patients:write",
  "signIn.verifyCode": "patients:write",
  "signIn.refresh": "patients:write",
  "signIn.signOut": "patients:write",
  "users.checkUser": "patients:read",
  "users.me": "patients:read",
  "users.updateProfile": "patients:write",
  "users.updateEmail": "patients:write",

  "intake.createCase": "cases:write",
  "dynamicCases.createDynamicCase": "cases:write",
  "dynamicCases.submitCaseForm": "cases:write",
  "statusChanges.change": "cases:write",
  "escalations.add": "cases:write",
  "caseProducts.update": "cases:write",
  "reading.caseDetail": "cases:read",
  "reading.latestCaseId": "cases:read",
  "reading.cases": "cases:read",
  "reading.escalations": "cases:read",
  "reading.escalation": "cases:read",
  "reading.orders": "orders:read",
  "reading.order": "orders:read",
  "orders.placeOrder": "orders:write",
  "products.list": "catalogue:read",
  "bundles.list": "catalogue:read",
  "bundles.get": "catalogue:read",

  "webhookEndpoints.create": "webhooks:write",
  "webhookEndpoints.list": "webhooks:read",
  "webhookEndpoints.get": "webhooks:read",
  "webhookEndpoints.change": "webhooks:write",
  "webhookEndpoints.remove": "webhooks:write",
  "webhookEndpoints.rotateSecret": "webhooks:write",
  "webhookEndpoints.test": "webhooks:write",
  "webhookDeliveries.list": "webhooks:read",
  "webhookDeliveries.replay": "webhooks:write",
  "webhookDeliveries.replayRange": "webhooks:write",
  "webhookDeliveries.replayMissing": "webhooks:write",
  "webhookDeliveries.resend": "webhooks:write",
  "events.list": "webhooks:read",

  "newPayments.create": "payments:write",
  "paymentReading.list": "payments:read",
  "paymentReading.get": "payments:read",
  "intents.createPaymentIntent": "payments:write",
  "intents.createSetupIntent": "payments:write",
  "paymentSetup.completeSetup": "payments:write",
  "paymentInfo.updatePaymentInfo": "payments:write",
  "paymentConfirmations.confirmPayment": "payments:write",
  "promoCodes.check": "payments:read",

  "bookings.book": "appointments:write",
  "bookings.cancel": "appointments:write",
  "availability.slots": "appointments:read",
  "calendarActions.create": "appointments:write",
  "calendarActions.cancel": "appointments:write",
  "appointmentList.list": "appointments:read",

  "auditRecords.list": "audit:read",
  "requestLogs.list": "audit:read",

  "testClock.get": "test",
  "testClock.advance": "test",
  "testClock.find": "test",
  "testMessages.list": "test",
  "testReset.reset": "test",
  "simulations.possible": "test",
  "simulations.simulate": "test"
}

const scopes = new Map<string, Scope>(Object.entries(scopeOfOperation))

/** Returns the scope that a key needs for an endpoint of the partner API; undefined for all other endpoints. */
export const neededScope = (
  group: { readonly identifier: string },
  endpoint: { readonly identifier: string }
): Scope | undefined => scopes.get(`${group.identifier}.${endpoint.identifier}`)
