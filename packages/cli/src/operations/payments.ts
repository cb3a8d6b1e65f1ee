import type { Operation } from "./Operation.ts"

const amounts = "3b241101-e2bb-4255-8caf-4136c566a962 --amount"

/** Payments, the gateway's events, and promo codes. */
export const payments: ReadonlyArray<Operation> = [
  {
    id: "adminPayments.list",
    command: "payment list",
    example: "--status AUTHORIZED",
    columns: "paymentId caseId status amount currency isInitial operation createdAt"
  },
  { id: "adminPayments.get", command: "payment show" },
  {
    id: "adminGatewayEvents.list",
    command: "payment events",
    arguments: ["paymentId"],
    columns: "eventId type happenedAt createdAt handledAt result status"
  },
  { id: "adminPayments.capture", command: "payment capture", example: `${amounts} 200` },
  { id: "adminPayments.release", command: "payment release" },
  { id: "adminPayments.refund", command: "payment refund", example: `${amounts} 20 --refunded 0` },
  {
    id: "adminPromoCodes.create",
    command: "promo create",
    arguments: ["code"],
    flags: { flatDiscount: "flat", percentDiscount: "percent" },
    example: "WELCOME10 --percent 10"
  },
  {
    id: "adminPromoCodes.list",
    command: "promo list",
    columns: "id organizationId code name flatDiscount percentDiscount isActive expiresAt redemptions maxRedemptions"
  },
  {
    id: "adminPromoCodes.change",
    command: "promo change",
    flags: { "-expiresAt": "never-expires", "-maxRedemptions": "unlimited" }
  }
]
