import { placeOrderExample } from "@care/domain/cases"
import { call } from "./call.ts"
import type { Clinic } from "./fixtures.ts"

/** Returns an order that is accepted, with changes. */
export const orderBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...placeOrderExample.order,
  ...changes
})

/** Closes or reopens a case. */
export const changeStatus = ({ key }: Pick<Clinic, "key">, caseId: string, status: "CLOSE" | "REOPEN") =>
  call("POST", `/api/v1/cases/${caseId}`, { key, body: { action: "CHANGE_CASE_STATUS", status } })

export const closeCase = (clinic: Pick<Clinic, "key">, caseId: string) => changeStatus(clinic, caseId, "CLOSE")

/** Sends PLACE_ORDER. */
export const placeOrder = (
  { key }: Pick<Clinic, "key">,
  caseId: string,
  order: unknown = orderBody(),
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {}
) => call("POST", `/api/v1/cases/${caseId}`, { key, headers, body: { action: "PLACE_ORDER", order, ...more } })
