import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"

/** What people are told when it happens to a case: its patient that it was opened, a provider that it was assigned to them. */
export const CaseNoticeKind = Schema.Literals(["CASE_OPENED", "CASE_ASSIGNED"])
export type CaseNoticeKind = typeof CaseNoticeKind.Type

const told = {
  key: textUpTo(lengths.reference),
  organizationId: OrganizationId,
  userId: UserId,
  shortId: textUpTo(lengths.code)
}

/**
 * Internal: who is to be told what of a case, of which nothing but its short id is known where it is told. Of all that is told
 * under one `key` the first is sent.
 */
export const CaseNotice = Schema.Union([
  Schema.Struct({ ...told, kind: CaseNoticeKind }),
  // The patient is reminded of an appointment; the time is told in the time zone.
  Schema.Struct({
    ...told,
    kind: Schema.Literal("APPOINTMENT_REMINDER"),
    startsAt: Timestamp,
    timezone: textUpTo(lengths.code)
  })
])
export type CaseNotice = typeof CaseNotice.Type

export const CaseNotices = Schema.Struct({ notices: listUpTo(CaseNotice, atMost("notices")) })
