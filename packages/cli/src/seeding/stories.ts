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
  | "close"

/** An action, and after how many hours it follows on the one before: at least and at most. */
type Moment = readonly [action: ActionName, atLeast: number, atMost: number]

/** The course of a case. A case that is young at the end is in the middle of it. */
export interface Story {
  /** How many of a hundred cases have it. */
  readonly percent: number
  readonly isAbandoned?: true
  readonly moments: ReadonlyArray<Moment>
}

const started: ReadonlyArray<Moment> = [["start", 2, 30]]
const approved: ReadonlyArray<Moment> = [...started, ["approve", 1, 20]]
const sent: ReadonlyArray<Moment> = [...approved, ["order", 1, 10], ["shipped", 14, 60]]
const delivered: ReadonlyArray<Moment> = [...sent, ["delivered", 40, 110]]

/** The courses of made-up cases. */
export const stories: ReadonlyArray<Story> = [
  { percent: 30, moments: delivered },
  { percent: 10, moments: [...delivered, ["close", 100, 300]] },
  { percent: 9, moments: [...started, ["ask", 1, 8], ["approve", 20, 60], ["order", 1, 10]] },
  { percent: 8, moments: [...started, ["ask", 1, 8], ["planVisit", 4, 24], ["approve", 48, 120]] },
  { percent: 6, moments: [...sent, ["escalate", 60, 120], ["completeEscalation", 4, 50], ["delivered", 10, 40]] },
  { percent: 5, moments: [...approved, ["order", 1, 10], ["refused", 6, 40]] },
  { percent: 9, moments: [...started, ["reject", 1, 24]] },
  { percent: 3, moments: [...started, ["ask", 1, 8], ["leaveUndecided", 70, 150], ["close", 20, 60]] },
  { percent: 4, moments: [["escalate", 10, 40]] },
  { percent: 4, moments: [...started, ["ask", 1, 8]] },
  { percent: 3, moments: started },
  { percent: 3, moments: [] },
  { percent: 6, isAbandoned: true, moments: [] }
]
