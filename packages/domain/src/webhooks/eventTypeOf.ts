import { Struct } from "effect"
import type { CaseActivityType } from "../cases/caseActivities.ts"
import { type CaseEventType, webhookEvents } from "./webhookEvents.ts"

const types: ReadonlyMap<CaseActivityType, CaseEventType> = new Map(
  Struct.keys(webhookEvents).flatMap((type) =>
    webhookEvents[type].activities.map((activity) => [activity, type] as const)
  )
)

/** Returns the type of the event of an activity, or undefined for one without an event. */
export const eventTypeOf = (activity: CaseActivityType): CaseEventType | undefined => types.get(activity)
