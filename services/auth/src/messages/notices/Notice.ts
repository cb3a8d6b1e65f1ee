import { CaseNoticeKind } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Schema } from "effect"

const common = { organizationId: OrganizationId, userId: UserId, shortId: Schema.String }

/** A notice of a case, as its job stores it. */
export const Notice = Schema.Union([
  Schema.Struct({ ...common, kind: CaseNoticeKind }),
  Schema.Struct({
    ...common,
    kind: Schema.Literal("APPOINTMENT_REMINDER"),
    startsAt: Schema.Date,
    timezone: Schema.String
  })
])
export type Notice = typeof Notice.Type
