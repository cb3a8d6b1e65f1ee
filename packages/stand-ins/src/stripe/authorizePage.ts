import { authorize } from "./authorize.ts"
import type { Call } from "./Call.ts"

const intentOf = ({ ledger }: Call, id: string) => ledger.get("setup_intent", id) ?? ledger.at("payment_intent", id)

/** Returns the page of a lender or a bank, on which a customer agrees to an intent or does not. */
export const authorizePage = (call: Call, id: string): string => {
  const { status } = intentOf(call, id)
  const button = (result: string, text: string) => `<button name="result" value="${result}">${text}</button>`
  const form = `<form method="post">${button("authorize", "Authorize")} ${button("fail", "Fail")}</form>`
  return `<!doctype html><meta charset="utf-8"><title>Test payment</title><h1>Test payment</h1>${
    status === "requires_action" ? form : `<p>Nothing to do: ${status}.</p>`
  }`
}

/** Applies the button that a customer pressed, and returns the URL that the browser goes to. */
export const pressed = (call: Call, id: string, result: string | null): string => {
  const { client_secret, next_action, object } = intentOf(call, id)
  const after = authorize(call, id, result === "authorize")
  const isDone = after.status === "succeeded" || after.status === "requires_capture"
  const back = new URL(
    next_action?.type === "redirect_to_url" ? next_action.redirect_to_url.return_url : `${call.url}/authorize/${id}`
  )
  back.searchParams.set(object, id)
  back.searchParams.set(`${object}_client_secret`, client_secret)
  back.searchParams.set("redirect_status", isDone ? "succeeded" : "failed")
  return back.toString()
}
