/** What happens to a case after its creation, by the partner or by others, as `actions.ts` sends it. */
export type ActionName =
  | "start"
  | "ask"
  | "approve"
  | "reject"
  | "leaveUndecided"
  | "order"
  | "shipped"
  | "delivered"
  | "refused"
  | "escalate"
  | "completeEscalation"
  | "planVisit"
  | "bookVisit"
  | "missVisit"
  | "pay"
  | "hold"
  | "refund"
  | "close"

/** An action, and after how many hours it follows on the one before: at least and at most. */
type Moment = readonly [action: ActionName, atLeast: number, atMost: number]

/** The course of a case. A case that is young at the end is in the middle of it. */
export interface Story {
  /** How many of a hundred cases have it. */
  readonly percent: number
  /** The case begins with a payment. With `CARD` it is abandoned until that succeeds, with `LATER` it does not wait for it. */
  readonly checkout?: "CARD" | "LATER"
  readonly moments: ReadonlyArray<Moment>
}

const paid: ReadonlyArray<Moment> = [["pay", 0, 4]]
const started: ReadonlyArray<Moment> = [["start", 2, 30]]
const approved: ReadonlyArray<Moment> = [...started, ["approve", 1, 20]]
const sent: ReadonlyArray<Moment> = [...approved, ["order", 1, 10], ["shipped", 14, 60]]
// An appointment is some days after its booking.
const booked: ReadonlyArray<Moment> = [...started, ["bookVisit", 1, 8]]
const delivered: ReadonlyArray<Moment> = [...sent, ["delivered", 40, 110]]

/** The courses of made-up cases. */
export const stories: ReadonlyArray<Story> = [
  { percent: 14, moments: delivered },
  { percent: 16, checkout: "CARD", moments: [...paid, ...delivered] },
  { percent: 10, moments: [...delivered, ["close", 100, 300]] },
  { percent: 9, moments: [...started, ["ask", 1, 8], ["approve", 20, 60], ["order", 1, 10]] },
  { percent: 4, moments: [...started, ["ask", 1, 8], ["planVisit", 4, 24], ["approve", 48, 120]] },
  { percent: 5, moments: [...booked, ["approve", 150, 200]] },
  { percent: 3, moments: [...booked, ["missVisit", 150, 180]] },
  { percent: 6, moments: [...sent, ["escalate", 60, 120], ["completeEscalation", 4, 50], ["delivered", 10, 40]] },
  { percent: 5, moments: [...approved, ["order", 1, 10], ["refused", 6, 40]] },
  { percent: 5, moments: [...started, ["reject", 1, 24]] },
  { percent: 4, checkout: "CARD", moments: [...paid, ...started, ["reject", 1, 24], ["refund", 1, 24]] },
  { percent: 2, checkout: "LATER", moments: [["hold", 0, 4], ...approved, ["pay", 1, 8]] },
  { percent: 3, moments: [...started, ["ask", 1, 8], ["leaveUndecided", 70, 150], ["close", 20, 60]] },
  { percent: 2, moments: [["escalate", 10, 40]] },
  { percent: 3, moments: [...started, ["ask", 1, 8]] },
  { percent: 2, moments: started },
  { percent: 1, moments: [] },
  { percent: 6, checkout: "CARD", moments: [] }
]
