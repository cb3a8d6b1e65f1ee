import { Schema } from "effect"

/** How a patient and a provider meet. */
export const VisitType = Schema.Literals(["ASYNC_TEXT_EMAIL", "SYNC_IN_PERSON", "SYNC_PHONE", "SYNC_VIDEO"])
export type VisitType = typeof VisitType.Type
