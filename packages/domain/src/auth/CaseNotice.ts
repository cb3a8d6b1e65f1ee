import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"

/**
 * The activities of a case that a person is notified of: the patient when it is opened, a provider when it is assigned
 * to them.
 */
export const CaseNoticeKind = Schema.Literals(["CASE_OPENED", "CASE_ASSIGNED"])

const commonFields = {
  key: textUpTo(lengths.reference),
  organizationId: OrganizationId,
  userId: UserId,
  shortId: textUpTo(lengths.code)
}

/**
 * Internal: a notice about a case, of which auth learns only the short id. Of several notices with one `key` only the first is sent.
 */
export const CaseNotice = Schema.Union([
  Schema.Struct({ ...commonFields, kind: CaseNoticeKind }),
  // A patient's reminder of an appointment, with its time in the given time zone.
  Schema.Struct({
    ...commonFields,
    kind: Schema.Literal("APPOINTMENT_REMINDER"),
    startsAt: Timestamp,
    timezone: textUpTo(lengths.code)
  })
])
export type CaseNotice = typeof CaseNotice.Type

export const CaseNoticeBatch = Schema.Struct({ notices: listUpTo(CaseNotice, atMost("notices")) })
