import { CaseNoticeKind } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Schema } from "effect"

const told = { organizationId: OrganizationId, userId: UserId, shortId: Schema.String }

/** What somebody is told of a case, as the job that tells it carries it. */
export const Notice = Schema.Union([
  Schema.Struct({ ...told, kind: CaseNoticeKind }),
  Schema.Struct({
    ...told,
    kind: Schema.Literal("APPOINTMENT_REMINDER"),
    startsAt: Schema.Date,
    timezone: Schema.String
  })
])
export type Notice = typeof Notice.Type
