import { Struct } from "effect"
import type { CaseActivityType } from "../cases/caseActivities.ts"
import { type CaseEventType, webhookEvents } from "./webhookEvents.ts"

const types: ReadonlyMap<CaseActivityType, CaseEventType> = new Map(
  Struct.keys(webhookEvents).flatMap((type) =>
    webhookEvents[type].activities.map((activity) => [activity, type] as const)
  )
)

/** The event that an entry of a case's record is; undefined of one that partners are not told of. */
export const eventTypeOf = (activity: CaseActivityType): CaseEventType | undefined => types.get(activity)
