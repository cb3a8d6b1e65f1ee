import type { CaseNotice } from "@care/domain/auth"
import { waitingStatus } from "@care/domain/cases"
import { UserId } from "@care/domain/ids"
import { Schema } from "effect"
import type { NoticedActivity } from "./NoticesRepo.ts"

const isUserId = Schema.is(UserId)

/**
 * Who is told of something that happened to a case: its patient that it is open, once, whether it was created so or was
 * abandoned before; and whoever it was given to, unless somebody else has it by now.
 */
export const noticeOf = (activity: NoticedActivity): ReadonlyArray<CaseNotice> => {
  const { details, id: key, isSilent, isSuperseded, organizationId, shortId, type, userId } = activity
  if (isSilent) return []
  const about = { key, organizationId, shortId }
  if (type === "CASE_ASSIGNED") {
    const { providerId } = details
    return isSuperseded || !isUserId(providerId) ? [] : [{ ...about, kind: "CASE_ASSIGNED", userId: providerId }]
  }
  const isOpening =
    type === "CASE_CREATED"
      ? details["status"] === waitingStatus
      : type === "CASE_OPENED" && details["from"] === "ABANDONED"
  return isOpening ? [{ ...about, kind: "CASE_OPENED", userId }] : []
}
