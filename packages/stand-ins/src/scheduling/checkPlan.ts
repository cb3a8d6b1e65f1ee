import type { Call } from "./Call.ts"
import { denied } from "./Refusal.ts"

/** What only an account that is paid for may do. */
export const checkPlan = ({ isFree }: Pick<Call, "isFree">): void => {
  if (isFree) throw denied("Please upgrade to a paid Calendly account.")
}
