import type { DeliveryAttempt } from "@care/domain/webhooks"
import { inWords } from "../../ui/words.ts"

/** How an attempt ended: the status of the answer, or why there was none. */
export const AttemptResult = ({ attempt }: { readonly attempt: DeliveryAttempt | undefined }) => {
  if (attempt === undefined) return <span className="text-muted">None yet</span>
  const { failure, status } = attempt
  if (status !== null) return <span>Status {status}</span>
  return <span className="break-words">{failure === null ? "No answer" : inWords(failure)}</span>
}
