import { Schema, Struct } from "effect"
import { CaseDetail } from "./CaseDetail.ts"

/** A case as the list of its partner shows it: without its own lists. */
export const ListedCase = Schema.Struct(
  Struct.pick(CaseDetail.fields, [
    "id",
    "shortId",
    "createdAt",
    "updatedAt",
    "title",
    "status",
    "type",
    "submitter",
    "assignedTo",
    "inProgressAt",
    "closedAt",
    "isArchived"
  ])
).annotate({ identifier: "ListedCase" })
export type ListedCase = typeof ListedCase.Type
